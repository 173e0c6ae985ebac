import { describe, expect, it } from "vitest";
import { pickRequest } from "./pick-request.ts";

const Q1 = { id: "q1", kind: "question" };
const [Q2, Q3] = [
  { id: "q2", kind: "approval" },
  { id: "q3", kind: "approval" },
];

describe("allow and deny", () => {
  it("mean the only open request, or the one that is named", () => {
    expect(pickRequest(null, [Q1, Q2])).toEqual({ request: "q2" });
    expect(pickRequest("q3", [Q1, Q2, Q3])).toEqual({ request: "q3" });
  });
  it("are no answer to a question in words", () =>
    expect(pickRequest("q1", [Q1, Q2])).toEqual({ hint: expect.stringMatching(/^q1 is a question.*in words/) }));
  it("have to name one of several", () =>
    expect(pickRequest(null, [Q2, Q3])).toEqual({ hint: expect.stringContaining("q2, q3") }));
  it("mean nothing where nothing is asked", () =>
    expect(pickRequest(null, [Q1])).toEqual({ hint: "No permission request is open." }));
  it("leave what nobody knows to the supervisor, who says so", () =>
    expect(pickRequest("q9", [Q2])).toEqual({ request: "q9" }));
});

import { afterEach, beforeEach, expect, it } from "vitest";
import { Stage } from "../stage.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const headings = (text: string) => [...text.matchAll(/^── (\d)\. /gm)].map(([, number]) => number);

it("plays the session's chapters to the end, and leaves nothing", async () => {
  const { code, out, err } = await stage.bm("demo", "--clean");
  expect([code, err]).toEqual([0, ""]);
  expect(headings(out)).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
  expect(out).toContain("$ banksman conflicts\nNo conflicts.\n");
  expect(out).not.toContain("ownership violation");
  expect(out).toMatch(/^landed +fix\/rounding as [0-9a-f]+$/m);
  expect(out).toMatch(/once your work is together with that of ref-sensor/);
  expect(out).toMatch(/^bounced +(feat\/alarm|ref\/sensor): .*on top of/m);
  expect(out).toMatch(/Nothing is left of it\.\n$/);
});

it("plays an epic to its review", async () => {
  const { code, out, err } = await stage.bm("demo", "epic", "--clean");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("ready_for_user_review");
});

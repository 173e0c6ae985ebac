import { expect, it } from "vitest";
import { workFolder } from "./work-folder.ts";

it("reads where a client says it works", () => {
  expect(workFolder(JSON.stringify("Primary working directory: /tmp/x/app\nIs a git repository"))).toBe("/tmp/x/app");
  expect(workFolder(JSON.stringify("<cwd>/tmp/x/app</cwd>"))).toBe("/tmp/x/app");
  expect(workFolder(JSON.stringify("Current working directory: /tmp/x/app."))).toBe("/tmp/x/app");
  expect(workFolder(JSON.stringify("I'm currently working in the directory: /tmp/x/app\nHere"))).toBe("/tmp/x/app");
  expect(workFolder(JSON.stringify("nothing of the kind"))).toBe(null);
});

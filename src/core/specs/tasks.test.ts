import { expect, it } from "vitest";
import { readTasks } from "./tasks.ts";

const ids = (text: string) => readTasks(text).map(({ id, done }) => `${id}${done ? " done" : ""}`);

it("takes the ids tasks have in Spec Kit and OpenSpec", () => {
  expect(ids("## Phase 1: Setup\n- [x] T001 begin\n- [ ] T002 [P] go on\n")).toEqual(["T001 done", "T002"]);
  expect(ids("## 1. Wire\n- [ ] 1.1 a\n- [x] 1.2 b\n")).toEqual(["1.1", "1.2 done"]);
});

it("numbers the steps of a plan by its tasks, and other boxes by where they stand", () => {
  expect(ids("# Plan\n### Task 2: Parser\n- [ ] a test\n- [x] the code\n### Task 3\n- [ ] more\n")).toEqual([
    "2.1",
    "2.2 done",
    "3.1",
  ]);
  expect(ids("- [ ] a\n- [ ] b\n")).toEqual(["1", "2"]);
});

it("gives no id twice, and sees no box in a code block", () => {
  expect(ids("- [ ] T001 a\n- [ ] T001 b\n```\n- [ ] T003\n```\n")).toEqual(["T001", "T001@2"]);
});

it("says where each stands", () => {
  expect(readTasks("## Later\n\n- [ ] a thing\n")).toEqual([
    { id: "1", text: "a thing", done: false, section: "Later", line: 3 },
  ]);
});

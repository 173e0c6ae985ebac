import { expect, it } from "vitest";
import { pickAnswer } from "./pick-answer.ts";

const text = (said: string) => ({ type: "text", text: said }) as const;
const tool = { type: "tool.end", id: "1", ok: true } as const;

it("takes what was said last, whole or in pieces, and cuts nothing out of prose", () => {
  expect(pickAnswer([text("I look."), tool, text('{"a":1}')])).toBe('{"a":1}');
  expect(pickAnswer([text("I think."), text('{"a":1}')])).toBe('{"a":1}');
  expect(pickAnswer([tool, text('{"a"'), text(":1}")])).toBe('{"a":1}');
  expect(pickAnswer([text('{"a":1}'), tool, text("Done.")])).toBe("Done.");
  expect(pickAnswer([text('Here: {"a":1}')])).toBe('Here: {"a":1}');
  expect(pickAnswer([])).toBe("");
});

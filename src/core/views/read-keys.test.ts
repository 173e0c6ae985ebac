import { describe, expect, it } from "vitest";
import { type Dashboard, OPENED, press } from "./dashboard.ts";
import { type Flags, type Pasting, readKeys } from "./read-keys.ts";

const NONE: Flags = {
  upArrow: false,
  downArrow: false,
  return: false,
  escape: false,
  backspace: false,
  delete: false,
};

/** Pieces of input as a terminal library gives them, one after the other. */
function typed(...pieces: (string | Partial<Flags>)[]): { dashboard: Dashboard; sent: string[] } {
  let dashboard = OPENED;
  let pasting: Pasting = null;
  const sent: string[] = [];
  for (const piece of pieces) {
    const [text, flags] = typeof piece === "string" ? [piece, NONE] : ["", { ...NONE, ...piece }];
    const read = readKeys(pasting, text, flags);
    pasting = read.pasting;
    for (const key of read.keys) {
      const pressed = press(dashboard, key, 9);
      if (pressed.do === "quit") throw new Error("quit");
      if (pressed.do === "send") sent.push(pressed.line);
      dashboard = pressed.dashboard;
    }
  }
  return { dashboard, sent };
}

describe("what is pasted", () => {
  it("is text where somebody types, its line ends too", () => {
    const { dashboard, sent } = typed("t", "feat-a ", "[200~", "one\rtwo\r\nq", { return: true }, "l", "[201~");
    expect([dashboard.typing, sent]).toEqual(["tell feat-a one\ntwo\nq\nl", []]);
    expect(typed("t", "feat-a ", "[200~", "one\rtwo", "[201~", { return: true }).sent).toEqual([
      "/tell feat-a one\ntwo",
    ]);
  });
  it("does nothing where nobody types", () => {
    expect(typed("[200~", "qlt\rq", "[201~").dashboard).toEqual(OPENED);
    expect(typed({ upArrow: true }, "\u001b[200~", "q", "[201~").dashboard).toEqual(OPENED);
    expect(typed("[200~", "[201~").dashboard).toEqual(OPENED);
  });
});

it("counts each key of a burst", () => {
  expect(typed({ upArrow: true }, { upArrow: true }, { upArrow: true }, { downArrow: true }).dashboard.selected).toBe(
    1,
  );
  expect(typed("kkk").dashboard.selected).toBe(2);
  expect(typed("tfeat-a hi\r").sent).toEqual(["/tell feat-a hi"]);
});

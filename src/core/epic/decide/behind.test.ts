import { describe, expect, it } from "vitest";
import { draw, NOW, read } from "../../../../test/epics/sketch.ts";
import type { Instant } from "../../text/ids.ts";
import type { Epic } from "../file/epic.ts";
import { type Sent, whyBehind } from "./behind.ts";

/** An epic at this number of rows, with dispatches `item@minute` in its memory. */
function epicAt(seq: number, ...dispatches: string[]): Epic {
  const memory = dispatches.map((each) => {
    const [item = "", minute = ""] = each.split("@");
    return { at: at(Number(minute)), decision: `dispatch ${item} to w`, class: "dispatch_ok", notes: "", row: null };
  });
  return { ...read(draw({ items: "t-1 queued; t-2 queued" })), id: "e", seq, memory };
}
const at = (minute: number) => (NOW + minute * 60_000) as Instant;
const sent = (key: string, item: string, minute: number | null = null): Sent => ({
  ...{ key, item },
  at: minute === null ? null : at(minute),
});
const why = (epic: Epic, item: string, key: string, same: Sent | null, last: Sent | null = same) =>
  whyBehind(epic, { item, key }, { same, last });

describe("a dispatch", () => {
  it("is made where nothing was sent before, and where it comes after what was", () => {
    expect(why(epicAt(1, "t-1@1"), "t-1", "e/1/1", null)).toBeNull();
    expect(why(epicAt(2, "t-1@1", "t-2@2"), "t-2", "e/1/2", null, sent("e/1/1", "t-1", 1))).toBeNull();
    expect(why(epicAt(9), "t-2", "e/2/9", null, sent("e/1/1", "t-1", 1))).toBeNull();
  });
  it("is made again by its own key, as after a crash", () => {
    expect(why(epicAt(1, "t-1@1"), "t-1", "e/1/1", sent("e/1/1", "t-1", 1))).toBeNull();
    expect(why(epicAt(1), "t-1", "e/1/1", sent("e/1/1", "t-1", 1))).toBeNull();
  });
  it("is refused by a key that another item has had", () => {
    expect(why(epicAt(2), "t-2", "e/1/2", sent("e/1/2", "t-1"))).toMatch(
      /^e\/1\/2 was sent before, for t-1: it is older/,
    );
  });
  it("is refused by a key of the same item that was sent at another time", () => {
    expect(why(epicAt(1, "t-1@5"), "t-1", "e/1/1", sent("e/1/1", "t-1", 1))).toMatch(/this one needs another id$/);
  });
  it("is refused from a file that is behind what was sent, also in another epoch", () => {
    for (const key of ["e/1/3", "e/1/6", "e/2/5"])
      expect(why(epicAt(9), "t-1", key, null, sent("e/1/6", "t-3"))).toMatch(/^t-3 was sent by e\/1\/6, of which/);
  });
  it("is refused from a file that was put back and has counted on since: it has all its rows, and not that one", () => {
    const last = sent("e/1/2", "t-1", 2);
    expect(why(epicAt(2, "t-1@7", "t-1@9"), "t-1", "e/1/4", null, last)).toMatch(/does not know/);
    expect(why(epicAt(4, "t-1@7", "t-1@9"), "t-1", "e/1/4", null, last)).toBeNull();
  });
});

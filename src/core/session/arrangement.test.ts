import { describe, expect, it } from "vitest";
import { type ArrangementFacts, chooseArrangement } from "./arrangement.ts";

const choose = (flag: boolean | null, configured: boolean | null, more: Partial<ArrangementFacts> = {}) =>
  chooseArrangement({
    flags: { headless: false, supervisor: flag },
    config: { broker: true, supervisor: configured },
    tmux: "3.3a",
    canAsk: false,
    ...more,
  });
const taken = (arrangement: string | null, supervisor: boolean | null) => ({ do: "take", arrangement, supervisor });

describe("a session has a supervisor", () => {
  it.each([
    [true, null, "supervisor"],
    [true, false, "supervisor"],
    [false, true, "broker"],
    [false, null, "broker"],
    [null, true, "supervisor"],
    [null, false, "broker"],
    [null, null, "broker"],
  ])("flag %s, config %s: %s, with nobody to ask", (flag, configured, arrangement) => {
    expect(choose(flag, configured)).toEqual(taken(arrangement, flag ?? configured));
  });
  it("if a person says so, who is asked only where nobody else has said anything", () => {
    expect(choose(null, null, { canAsk: true })).toEqual({ do: "ask", otherwise: "broker" });
    for (const said of [true, false]) {
      expect(choose(said, null, { canAsk: true }).do).toBe("take");
      expect(choose(null, said, { canAsk: true }).do).toBe("take");
    }
  });
});

describe("without", () => {
  it("tmux there are no panes, and nobody is asked about them", () => {
    expect(choose(true, null, { tmux: null, canAsk: true })).toEqual(taken(null, true));
  });
  it("a broker there is no dashboard, and no supervisor either", () => {
    const config = { broker: false, supervisor: null };
    expect(choose(null, null, { config, canAsk: true })).toEqual(taken("plain", null));
    expect(choose(false, null, { config })).toEqual(taken("plain", false));
    expect(choose(true, null, { config })).toMatchObject({ do: "refuse", failure: { kind: "usage" } });
    expect(choose(null, null, { config: { broker: false, supervisor: true } }).do).toBe("refuse");
  });
  it("a pane there is no supervisor: asked for both, none is guessed", () => {
    const headless = (supervisor: boolean | null) => ({ flags: { headless: true, supervisor } });
    expect(choose(null, true, headless(null))).toEqual(taken(null, true));
    expect(choose(null, null, headless(false))).toEqual(taken(null, false));
    expect(choose(null, null, headless(true)).do).toBe("refuse");
  });
});

it("an old tmux is refused", () => {
  expect(choose(null, null, { tmux: "3.1c" })).toMatchObject({ do: "refuse", failure: { kind: "tmux.old" } });
});

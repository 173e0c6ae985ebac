import { describe, expect, it } from "vitest";
import { type Entry, locate, nextTurn } from "./script.ts";

const user = (text: string): Entry => ({ from: "user", text });
const result = (text = "fine"): Entry => ({ from: "tool", text });
const never = () => false;

/** What the model does next, in a few words. */
function next(entries: readonly Entry[], isOver: (index: number) => boolean = never): string {
  const { text, call, fault, slowly } = nextTurn(locate(entries), isOver);
  const what = fault ?? call;
  const pace = slowly > 0 ? ` in ${slowly} s` : "";
  return what === null ? `says ${text}${pace}` : `${Object.values(what).join(" ")}${pace}`;
}

describe("the markers of the newest text that has any are the script", () => {
  const both = user("[[write a.txt :: one\\ntwo]] and then [[bash ls -l]]");

  it("goes on by one step with each tool result", () => {
    expect(next([both])).toBe("write a.txt one\ntwo");
    expect(next([both, result()])).toBe("bash ls -l");
    expect(next([both, result(), result("denied")])).toBe("says done: [[write a.txt :: one\\ntwo]] [[bash ls -l]]");
  });

  it("does not mind texts without markers that come in between", () => {
    expect(next([both, result(), user("<reminder>be brief</reminder>")])).toBe("bash ls -l");
  });

  it("begins anew with a newer script", () => {
    expect(next([both, result(), user("no: [[commit b.txt]]")])).toBe("commit b.txt hello from the scripted model");
    expect(locate([both, result(), user("[[plan]]")]).ordinal).toBe(2);
  });

  it("ends where there is nothing to do", () => {
    expect(next([user("hello")])).toBe("says done: nothing was asked");
  });
});

describe("reads markers", () => {
  it("leaves what only looks like one", () => {
    expect(next([user("if [[ -f x ]]; [[nonsense 3]] [[text hi]]")])).toBe("says hi");
  });

  it("takes JSON for an argument", () => {
    expect(next([user(`[[bash curl -d '{"a":[1,[2]]}' here]]`)])).toBe(`bash curl -d '{"a":[1,[2]]}' here`);
  });
});

describe("what is no tool call goes with the next one", () => {
  it("says a text and takes its time before a call", () => {
    const turn = nextTurn(locate([user("[[text first]] [[slow 3]] [[bash ls]]")]), never);
    expect(turn).toEqual({ text: "first", slowly: 3, call: { kind: "bash", command: "ls" }, fault: null });
  });

  it("says it once", () => {
    expect(next([user("[[text first]] [[slow 3]] [[bash ls]] [[text last]]"), result()])).toBe("says last");
  });

  it("fails for ever, or once and then goes on", () => {
    expect(next([user("[[500]] [[bash ls]]")], () => true)).toBe("status 500 false");
    expect(next([user("[[429once]] [[bash ls]]")])).toBe("status 429 true");
    expect(next([user("[[429once]] [[bash ls]]")], (index) => index === 0)).toBe("bash ls");
  });

  it("fails where it stands in the script, not before and not after", () => {
    const script = user("[[bash ls]] [[drop]] [[bash pwd]]");
    expect(next([script])).toBe("bash ls");
    expect(next([script, result()])).toBe("drop false");
    expect(next([user("[[hangonce]] [[bash ls]] [[bash pwd]]"), result()])).toBe("bash pwd");
  });
});

describe("plays a role of an epic", () => {
  const asked = (brief: object, file = "") =>
    user(`You judge.\n\nThe brief, as JSON:\n${JSON.stringify(brief)}\n\n====\n${file}\n====\n`);

  it("as planner, from the brief alone", () => {
    const preflight = { role: "preflight", candidates: [{ id: "t-1", worker: "hand" }, { id: "t-2" }] };
    expect(next([asked(preflight)])).toBe('says {"action":"dispatch","task_id":"t-1","worker":"hand"}');
    expect(next([asked({ role: "react", context: "t-2: marsha-fail: red" })])).toMatch(/^says .*"parent":"t-2"/);
    expect(next([asked({ role: "decompose" })])).toMatch(/^says {"action":"decompose"/);
  });

  it("as verifier, which tries to change something before it answers", () => {
    const brief = { item: "t-2", pr: "none" };
    expect(next([asked(brief)])).toBe("bash touch changed-by-a-role");
    expect(next([asked(brief), result("refused")])).toMatch(/^says {"verdict":"FAIL"/);
    expect(next([asked(brief, "| verify_fail |"), result("refused")])).toBe('says {"verdict":"PASS"}');
  });
});

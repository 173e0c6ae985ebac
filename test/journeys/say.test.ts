import { afterEach, beforeEach, expect, it } from "vitest";
import { Stage } from "../stage.ts";

let stage: Stage;
let person: Stage["env"];
beforeEach(async () => {
  stage = new Stage();
  stage.script("feat-a", [
    { do: "run", argv: ["sh", "-c", "env > ../env"] },
    { do: "status", text: "here" },
    { do: "stall" },
  ]);
  await stage.start("feat/a");
  await stage.until(({ agents }) => agents[0]?.evidence === "here");
  person = stage.env;
});
afterEach(() => {
  stage.env = person;
  return stage.dispose();
});

/** As the agent, in its worktree and with what it was given; the person's state folder is where a moved port is found. */
async function say(words: readonly string[], change: Record<string, string> = {}) {
  const given = (stage.repo.read(stage.root, ".banksman/worktrees/env") ?? "").split("\n");
  const own = Object.fromEntries(given.map((line) => [line.split("=")[0], line.slice(line.indexOf("=") + 1)]));
  stage.env = { ...own, BANKSMAN_STATE_DIR: stage.state, ...change };
  const { code, out, err } = await stage.bmIn(stage.worktree("feat-a"), "say", ...words);
  stage.env = person;
  return [code, code === 0 ? out : (err.split("\n")[0] ?? "")] as const;
}

const WRONG = [
  [[], /needs to know what/],
  [["shout"], /does not know "shout"/],
  [["status"], /needs a message/],
  [["status", "x", "--loud"], /does not know --loud/],
  [["artifact", "src/a.ts"], /takes no words.*--files/],
  [["blocked", "x"], /and the agent/],
  [["blocked", "a", "token", "feat-b"], /put what you need in quotes/],
  [["blocked", "<what you need>", "feat-b"], /placeholder/],
  [["blocked", "x", "Feat B"], /payload\.from/],
  [["question"], /needs a text/],
  [["question", "q?", "--wait"], /--wait needs a number/],
  [["question", "q?", "--wait", "soon"], /--wait needs a number/],
  [["intent", "why"], /the paths/],
  [["intent", "why", "a.ts", "b.ts"], /as one word, separated by commas/],
  [["intent", "why", "a.ts", "60", "more"], /a reason in quotes/],
  [["intent", "why", "../a.ts"], /inside the worktree/],
  [["poll", "abc"], /whole number/],
  [["poll", "1", "2"], /no more words/],
] as const;

it("refuses what it does not understand with a sentence, and stores nothing", async () => {
  const before = await stage.ok("log", "--jsonl");
  for (const [words, why] of WRONG)
    expect([words, ...(await say(words))]).toEqual([words, 1, expect.stringMatching(why)]);
  expect(await stage.ok("log", "--jsonl")).toBe(before);
});

it("takes every form, at whatever port the supervisor is now", async () => {
  const url = { BANKSMAN_URL: "" };
  const given = stage.repo.read(stage.root, ".banksman/worktrees/env") ?? "";
  url.BANKSMAN_URL = (/^BANKSMAN_URL=(.*)$/m.exec(given)?.[1] ?? "").replace(/:\d+\//, ":1/");
  for (const words of [
    ["status", "two", "words"],
    ["intent", "wire it", "src/a.ts,src/b.ts,docs/", "60"],
    ["retract", "src/a.ts", "docs"],
    ["blocked", "a token", "feat-b"],
    ["artifact", "--exports", "f,g", "--files=src/b.ts"],
  ])
    expect(await say(words, url)).toEqual([0, expect.stringMatching(/^\w+ published \(\d+\)\n$/)]);
  const log = (await stage.ok("log")).trim().split("\n");
  expect(log.slice(-5).map((line) => line.replace(/^.*? {2}feat-a → /, ""))).toEqual([
    "log  status: working: two words",
    "*  intent: will touch src/a.ts, src/b.ts, docs/: wire it",
    "*  retract: gives up src/a.ts, docs",
    "feat-b, supervisor  blocked: needs a token from feat-b",
    "*  artifact: done: exports f, g: src/b.ts",
  ]);
  expect(await say(["poll"])).toEqual([0, "nothing new\n"]);
  await stage.ok("tell", "feat-a", "hello");
  expect(await say(["poll", "0", "--wait", "100"])).toEqual([0, expect.stringMatching(/agent\.feedback .*hello/)]);
});

it("says whose token is not known, and who it is for", async () => {
  const given = stage.repo.read(stage.root, ".banksman/worktrees/env") ?? "";
  const url = /^BANKSMAN_URL=(.*)$/m.exec(given)?.[1] ?? "";
  expect(await say(["status", "x"], { BANKSMAN_URL: `${url.slice(0, -4)}0000` })).toEqual([
    1,
    expect.stringMatching(/token is not valid/),
  ]);
  expect(await say(["status", "x"], { BANKSMAN_AGENT: "feat-b" })).toEqual([
    1,
    expect.stringMatching(/speaks for feat-a/),
  ]);
  expect(await say(["status", "x"], { BANKSMAN_URL: "" })).toEqual([1, expect.stringMatching(/is for agents/)]);
});

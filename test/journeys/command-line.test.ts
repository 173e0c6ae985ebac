import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/catalog.ts";
import { eventually, Stage } from "../stage.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

describe("help", () => {
  it("lists every command, and says more about each, with examples", async () => {
    const list = await stage.ok("--help");
    for (const name of Object.keys(COMMANDS)) {
      expect(list).toMatch(new RegExp(`^ {2}${name} `, "m"));
      expect(await stage.ok("help", name)).toMatch(/^Usage: banksman .*\n\n[\s\S]+\nExamples:\n {2}banksman /);
    }
    expect(await stage.ok("status", "--help")).toBe(await stage.ok("help", "status"));
    expect(await stage.ok("say", "--help")).toContain("Examples:");
  });
});

describe("a wrong command line", () => {
  it.each([
    [["statu"], /There is no command "statu"\.\nDid you mean `banksman status`\?/],
    [["help", "statu"], /Did you mean `banksman status`\?/],
    [["status", "--jsn"], /Unknown option '--jsn'\.\nDid you mean --json\?/],
    [["answer"], /Missing required argument 'id'\.\nSee `banksman answer --help`/],
    [["status", "me"], /Too many arguments\. Expected 0 arguments but got 1\./],
    [["start", "--branches"], /'--branches <list>' argument missing\./],
  ])("%j is one sentence, what to do, and exit 1", async (args, said) => {
    const { code, out, err } = await stage.bm(...args);
    expect([code, out, err]).toEqual([1, "", expect.stringMatching(said)]);
    expect(err.trimEnd().split("\n")).toHaveLength(2);
  });

  it("is told to programs as JSON", async () => {
    const { code, out } = await stage.bm("purge", "--json", "--nope");
    expect([code, JSON.parse(out)]).toEqual([
      1,
      { error: { kind: "usage", message: "Unknown option '--nope'.", hint: "See `banksman purge --help`." } },
    ]);
  });
});

describe("Ctrl-C", () => {
  it("in the middle of a start exits 2, and what was recorded goes on", async () => {
    stage.script("feat-a", [{ do: "wait" }]);
    const child = stage.spawn("start", "--headless", "--branches", "feat/a", "--cli", "scripted");
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk;
    });
    await eventually(() => said.includes("feat-a:"));
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    expect([code, said]).toEqual([2, expect.stringContaining("`banksman stop` stops them")]);
    await stage.allIn("working");
    await stage.ok("stop");
    expect(stage.marked()).toEqual([]);
  });
});

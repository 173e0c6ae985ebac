import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ScriptStep } from "../../src/scripted-agent/script.ts";
import { Stage } from "../stage.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

function configure(text: string): void {
  const folder = join(stage.home, ".config/banksman");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.toml"), text);
}

interface Entry {
  readonly type: string;
  readonly text: string;
}

const inbox = (agent: string): Promise<Entry[]> => stage.json<Entry[]>("inbox", agent);
const detected = async (agent: string): Promise<string[]> =>
  (await inbox(agent)).filter(({ text }) => text.includes("[conflict-detector]")).map(({ text }) => text);

/** What the watcher will say for it. */
const modifies = (...files: string[]): ScriptStep => {
  const body = JSON.stringify({ type: "agent.status", payload: { status: "working", modified_files: files } });
  const send = `fetch(process.env.BANKSMAN_URL + "/publish", { method: "POST", headers: { "content-type": "application/json" }, body: ${JSON.stringify(body)} }).then((r) => process.exit(r.ok ? 0 : 1))`;
  return { do: "run", argv: ["node", "-e", send] };
};

describe("agents that run into each other", () => {
  it("hear of a plan they share, of a file they share, and a person settles what lasts", async () => {
    configure("[supervisor]\nenabled = true\n[supervisor.conflict]\nwindow_seconds = 1\n");
    // Each plans, hears of the other's plan, and goes to the shared file all the same.
    stage.script("xx", [
      { do: "intent", why: "one", files: ["src/a.ts", "src/b.ts"] },
      { do: "wait" },
      modifies("src/b.ts"),
      { do: "stall" },
    ]);
    stage.script("yy", [
      { do: "intent", why: "two", files: ["src/b.ts", "src/c.ts"] },
      { do: "wait" },
      modifies("src/b.ts"),
      { do: "stall" },
    ]);
    await stage.start("xx,yy");
    const { needsYou } = await stage.until(({ needsYou: open }) => open.some(({ kind }) => kind === "conflict"));
    expect(needsYou[0]?.text).toBe(
      "[conflict-detector] in-flight conflict: xx and yy have both been at src/b.ts for 1 s, and neither has given way: who should go on?",
    );
    expect(await detected("xx")).toEqual([
      "[conflict-detector] forward conflict: yy also declares intent over src/b.ts",
      expect.stringContaining("in-flight conflict: file src/b.ts is being modified by"),
    ]);
    await stage.ok("answer", needsYou[0]?.id ?? "", "xx goes on, yy waits");
    for (const agent of ["xx", "yy"])
      expect((await inbox(agent)).at(-1)).toMatchObject({
        type: "agent.answer",
        text: expect.stringContaining("xx goes on"),
      });
    expect((await stage.status()).needsYou).toEqual([]);
  });

  it("hear nothing in a session without a supervisor", async () => {
    stage.script("xx", [
      { do: "intent", why: "one", files: ["a.ts"] },
      { do: "artifact" },
      { do: "end", how: "ok", text: "" },
    ]);
    stage.script("yy", [
      { do: "intent", why: "two", files: ["a.ts"] },
      { do: "artifact" },
      { do: "end", how: "ok", text: "" },
    ]);
    await stage.start("xx,yy");
    await stage.allIn("done", "committed");
    expect([await detected("xx"), await detected("yy")]).toEqual([[], []]);
  });
});

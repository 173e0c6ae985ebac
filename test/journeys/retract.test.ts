import { afterEach, beforeEach, expect, it } from "vitest";
import { eventually, Stage } from "../stage.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

interface LogLine {
  readonly from: string;
  readonly text: string;
  readonly message: { type: string; agent_id: string; payload: Record<string, unknown> };
}

it("a person takes back what an agent claims: it is told, the others hear it, and it is nobody's sign of life", async () => {
  stage.script("feat-a", [
    { do: "intent", why: "wire it", files: ["src/app.ts", "src/lib/x.ts", "docs/"] },
    { do: "wait" },
    { do: "stall" },
  ]);
  stage.script("feat-b", [{ do: "status", text: "here" }, { do: "stall" }]);
  await stage.start("feat/a,feat/b");
  await stage.until(({ agents }) => agents[0]?.evidence === "wire it" && agents[1]?.evidence === "here");

  expect(await stage.json("retract", "--agent", "feat/a", "./src/lib/")).toMatchObject({
    agent: "feat-a",
    paths: ["src/lib/x.ts"],
  });
  const log = async () =>
    (await stage.ok("log", "--jsonl"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as LogLine);
  const [retraction, feedback] = (await log()).slice(-2);
  expect(retraction).toMatchObject({
    from: "supervisor",
    text: "a person takes back what feat-a claims: src/lib/x.ts",
    message: { type: "agent.retract", agent_id: "feat-a", payload: { files: ["src/lib/x.ts"] } },
  });
  expect(feedback).toMatchObject({
    from: "supervisor",
    text: expect.stringMatching(/\[directive\] .*src\/lib\/x\.ts/),
  });
  expect((await stage.json<LogLine[]>("inbox", "feat-b")).at(-1)).toMatchObject({ type: "agent.retract" });
  expect((await stage.status()).agents[0]).toMatchObject({ evidence: "wire it" });

  expect(await stage.ok("retract", "--agent", "feat-a")).toBe(
    "feat-a no longer claims src/app.ts, docs/, and was told.\n",
  );
  await eventually(async () => {
    const inbox = await stage.json<{ type: string; delivered: boolean }[]>("inbox", "feat-a");
    return inbox.some(({ type, delivered }) => type === "agent.feedback" && delivered);
  });
});

it("says what is wrong", async () => {
  stage.script("feat-a", [{ do: "intent", why: "w", files: ["src/app.ts"] }, { do: "stall" }]);
  const refused = async (...args: string[]) => {
    const { code, err } = await stage.bm("retract", ...args);
    return [code, err.split("\n").slice(0, 2).join(" ")];
  };
  expect(await refused("--agent", "feat-a")).toEqual([1, expect.stringMatching(/There is no session/)]);
  await stage.start("feat/a");
  await stage.until(({ agents }) => agents[0]?.evidence === "w");
  expect(await refused("src/app.ts")).toEqual([1, expect.stringMatching(/Whose claims/)]);
  expect(await refused("--agent", "feat-b")).toEqual([1, expect.stringMatching(/feat-b/)]);
  expect(await refused("--agent", "feat-a", "docs/")).toEqual([
    1,
    "feat-a does not claim `docs/`. It claims `src/app.ts`.",
  ]);
  await stage.ok("retract", "--agent", "feat-a");
  expect(await refused("--agent", "feat-a")).toEqual([1, "feat-a claims nothing. There is nothing to take back."]);
});

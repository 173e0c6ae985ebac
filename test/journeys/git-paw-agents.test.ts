import { afterEach, beforeEach, expect, it } from "vitest";
import { COORDINATION } from "../../src/core/agents/brief.ts";
import { Stage } from "../stage.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

/** What an agent's shell prints, in its worktree, with the environment it was given and nothing else. */
const runs = (name: string, line: string) => ({ do: "run", argv: ["sh", "-c", `(${line}) > ${name} 2>&1`] }) as const;
const said = (agent: string, name: string) => stage.repo.read(stage.worktree(agent), name) ?? "";

const post = (body: object, flags = "-sS -X POST") =>
  `curl ${flags} "$GIT_PAW_BROKER_URL/publish" -H "Content-Type: application/json" -d '${JSON.stringify(body)}'`;
const message = (type: string, payload: object) => ({ type: `agent.${type}`, agent_id: "feat-a", payload });

it("git-paw's curl lines work as they are, with the URL an agent is given", async () => {
  const hook = `FILES=$(git diff HEAD~1 --name-only | sed 's/.*/"&"/' | paste -sd, -); curl -s -X POST "\${GIT_PAW_BROKER_URL}/publish" -H 'Content-Type: application/json' -d "{\\"type\\":\\"agent.artifact\\",\\"agent_id\\":\\"feat-a\\",\\"payload\\":{\\"status\\":\\"committed\\",\\"exports\\":[],\\"modified_files\\":[$FILES]}}"`;
  stage.script("feat-a", [
    runs("o1", post(message("status", { status: "working", modified_files: [], message: "booting" }))),
    runs(
      "o2",
      post(
        message("intent", {
          files: ["src/a.ts", { path: "b.ts", regions: [{ kind: "function", name: "f" }] }],
          summary: "wire it",
          valid_for_seconds: 900,
        }),
      ),
    ),
    runs("o3", post(message("blocked", { needs: "token format", from: "feat-b" }))),
    runs("o4", post(message("question", { question: "RS256 or HS256?" }), "-s -o /dev/null -w '%{http_code}' -XPOST")),
    { do: "write", path: "src/a.ts", text: "1\n" },
    { do: "run", argv: ["sh", "-c", "git add src/a.ts && git commit -qm work"] },
    runs("o5", hook),
    runs("o6", post(message("artifact", { status: "done", exports: ["AuthClient"], modified_files: [] }))),
    runs("o7", 'curl -s "$GIT_PAW_BROKER_URL/messages/feat-a?since=0"'),
    runs("o8", "curl -s $GIT_PAW_BROKER_URL/status"),
    runs("o9", post({ type: "agent.done", agent_id: "feat-a", payload: {} }, "-sS -w ' %{http_code}' -X POST")),
    runs(
      "o10",
      post({ ...message("status", { status: "working" }), agent_id: "feat-b" }, "-sS -w ' %{http_code}' -X POST"),
    ),
    { do: "stall" },
  ]);
  stage.script("feat-b", [{ do: "stall" }]);
  await stage.start("feat/a,feat/b");
  await stage.until(() => said("feat-a", "o10").includes("403"));
  for (const name of ["o1", "o2", "o3", "o5", "o6"])
    expect([name, JSON.parse(said("feat-a", name))]).toEqual([name, { seq: expect.any(Number) }]);
  expect(said("feat-a", "o4")).toBe("202");
  expect(JSON.parse(said("feat-a", "o7"))).toMatchObject({ messages: [], last_seq: 0 });
  expect(JSON.parse(said("feat-a", "o8"))).toMatchObject({
    git_paw: true,
    agents: expect.arrayContaining([expect.objectContaining({ agent_id: "feat-a", status: "done" })]),
  });
  expect(said("feat-a", "o9")).toMatch(/agent\.done.*400$/);
  const inbox = (await stage.json<{ type: string; text: string }[]>("inbox")).map(
    ({ type, text }) => `${type} ${text}`,
  );
  expect(inbox).toEqual(
    expect.arrayContaining([
      "agent.intent will touch src/a.ts, b.ts: wire it",
      "agent.blocked blocked: needs token format from feat-b",
      "agent.question RS256 or HS256?",
      "agent.artifact committed: src/a.ts",
      "agent.artifact done: exports AuthClient",
    ]),
  );
});

it("every command of the brief does what the brief says it does", async () => {
  const filled: readonly (readonly [string, string])[] = [
    ["<what you need>", "a token"],
    ["<agent>", "feat-b"],
    ["<question>", "what now?"],
    ["<why>", "wire it"],
    ["--wait 100", "--wait 1"],
    ["--wait 60", "--wait 1"],
  ];
  const lines = [...COORDINATION.body.matchAll(/`(banksman say [^`]+)`/g)].map(([, line = ""]) =>
    filled.reduce((text, [placeholder, value]) => text.replace(placeholder, value), line),
  );
  expect(lines.map((line) => line.split(" ")[2])).toEqual(
    expect.arrayContaining(["status", "intent", "retract", "artifact", "blocked", "question", "poll"]),
  );
  stage.script("feat-a", [
    ...lines.map((line, i) => runs(`o${i}`, `${line}; echo "exit $?"`)),
    { do: "status", text: "over" },
    { do: "stall" },
  ]);
  stage.script("feat-b", [{ do: "stall" }]);
  await stage.start("feat/a,feat/b");
  await stage.until(({ agents }) => agents[0]?.evidence === "over");
  const answers = lines.map((line, i) => [line, said("feat-a", `o${i}`)] as const);
  for (const [line, answer] of answers)
    expect([line, answer]).toEqual([
      line,
      expect.stringMatching(
        line.includes("--wait 1") && line.includes("question") ? /stays open[\s\S]*exit 1\n$/ : /exit 0\n$/,
      ),
    ]);
});

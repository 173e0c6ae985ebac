import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually, Stage } from "../stage.ts";
import { HAS_TMUX } from "../tmux-server.ts";
import { install } from "./install.ts";
import { type CliName, chosenClis, isInstalled } from "./pinned.ts";
import { type ScriptedModel, startModel } from "./scripted-model.ts";

/** Their terminals take minutes: `./check --clis=all` and `npm run test:clis` ask for them. */
const wanted = process.env.BANKSMAN_TEST_TERMINALS === "1";
const CLIS = (["claude", "codex", "gemini", "opencode", "pi"] as const).filter(
  (cli) => wanted && chosenClis().includes(cli) && isInstalled(cli),
);

let model: ScriptedModel;
let stage: Stage;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

/** What a person presses in dialogs before the first prompt. */
const PERSON: Partial<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  claude: { trust: ["Down", "Enter"], login: ["Up", "Enter"] },
  codex: { trust: ["Enter"] },
};

/** By its run: CLIs give their panes titles of their own. */
const pane = (agent = "feat-a") => stage.panes().find(({ run }) => run.includes(`.${agent}.`))?.id ?? "";

/** Answers what only a person can, until there is nothing of it left. What it was, in order. */
async function passDialogs(cli: CliName, agent = "feat-a"): Promise<string[]> {
  const passed: string[] = [];
  for (;;) {
    const { needsYou } = await stage.until(
      ({ needsYou: open, agents }) =>
        open.some((need) => need.agent === agent) || ["working", "idle"].includes(agents[0]?.state ?? ""),
    );
    const kind = needsYou.find((need) => need.agent === agent)?.kind ?? "";
    const keys = PERSON[cli]?.[kind];
    if (keys === undefined) return passed;
    passed.push(kind);
    for (const key of keys) {
      stage.tmux("send-keys", "-t", pane(agent), key);
      await sleep(700);
    }
    await stage.until(({ agents }) => agents[0]?.phase !== kind);
  }
}

/** The question about this command, as it is open now. */
const asked = async (word: string): Promise<string> => {
  const { needsYou } = await stage.until(({ needsYou: open }) => open.some(({ text }) => text.includes(word)));
  return needsYou.find(({ text }) => text.includes(word))?.id ?? "";
};

const feedback = (agent: string, text: string) => ({
  type: "agent.feedback",
  agent_id: agent,
  payload: { from: "operator", errors: [text] },
});

/** All of them in one go, as the operator. */
async function publish(messages: readonly object[]): Promise<void> {
  const { supervisor } = await stage.status();
  const token = readFileSync(join(stage.folder, "operator.token"), "utf8").trim();
  const response = await fetch(`${supervisor?.url}/publish`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(messages),
  });
  expect([response.status, await response.text()]).toEqual([202, expect.anything()]);
}

describe.skipIf(!HAS_TMUX || CLIS.length === 0)("in tmux", () => {
  it.each(CLIS)("%s gets its brief, asks, is allowed, is told something, asks, and is refused", async (cli) => {
    install(stage, model.url, [cli], { approval: "manual" });
    const ask = cli === "codex" ? "escalate" : "bash";
    const brief = join(stage.repo.folder, "task.md");
    writeFileSync(brief, `${"A line of a long task.\n".repeat(200)}\nDo [[${ask} touch allowed.txt]].`);
    await stage.ok("start", "--branches", "feat/a", "--cli", cli, "--brief", brief);
    expect(await passDialogs(cli)).toEqual(Object.keys(PERSON[cli] ?? {}));

    const first = await asked("touch allowed.txt");
    expect(await stage.json("questions")).toMatchObject([{ command: "touch allowed.txt" }]);
    await stage.ok("answer", first, "allow");
    await stage.until(() => existsSync(join(stage.worktree("feat-a"), "allowed.txt")));

    await stage.ok("tell", "feat-a", `And now\n\n- this: [[${ask} touch refused.txt]]`);
    const second = await asked("touch refused.txt");
    await stage.ok("answer", second, "deny");
    await stage.until(({ needsYou }) => needsYou.length === 0);

    await stage.ok("tell", "feat-a", "A last word: heron [[text heard]]");
    await stage.until(() => model.requests.some(({ prompt }) => prompt.includes("heron")));
    expect(existsSync(join(stage.worktree("feat-a"), "refused.txt"))).toBe(false);
    const prompts = model.requests.filter(({ prompt, step }) => step !== "aside" && prompt.includes("A line of"));
    expect(prompts[0]?.prompt.match(/A line of a long task\./g)).toHaveLength(200);
  });

  it.each(CLIS)("%s is understood in a pane of 60×15 as well", async (cli) => {
    install(stage, model.url, [cli], { approval: "manual" });
    const brief = join(stage.repo.folder, "task.md");
    writeFileSync(brief, `Do [[${cli === "codex" ? "escalate" : "bash"} touch allowed.txt]].`);
    const starting = stage.ok("start", "--branches", "feat/a", "--cli", cli, "--brief", brief);
    await stage.until(({ agents }) => agents[0]?.pane != null);
    stage.tmux("resize-window", "-t", pane(), "-x", "60", "-y", "40");
    // What follows is by hand, and stays: first everything has its place in the new size.
    const height = () => Number(stage.tmux("display-message", "-p", "-t", pane(), "#{pane_height}"));
    await eventually(() => height() >= 20 && height() <= 25);
    stage.tmux("resize-pane", "-t", pane(), "-y", "15");
    await starting;
    await passDialogs(cli);
    const { needsYou } = await stage.until(({ needsYou: open }) => open.some(({ kind }) => kind === "approval"));
    await stage.ok("answer", needsYou[0]?.id ?? "", "allow");
    await stage.until(() => existsSync(join(stage.worktree("feat-a"), "allowed.txt")));
  });

  it.each(CLIS)("%s supervises in pane 0: it verifies as a person would, and lands what it may", async (cli) => {
    install(stage, model.url, [cli], { approval: "manual" });
    const config = join(stage.home, ".config/banksman/config.toml");
    const before = readFileSync(config, "utf8");
    const supervisor = (may: string) =>
      writeFileSync(config, before.replace("[supervisor]\n", `[supervisor]\ncli = "${cli}"\n${may}`));
    supervisor("");
    stage.repo.write(stage.root, ".banksman/config.toml", '[supervisor]\ntest_command = "test ! -e broken"\n');
    stage.repo.commit(stage.root, "gates");
    await stage.ok("trust", "--yes");
    stage.script("feat-a", [
      { do: "write", path: "new", text: "x" },
      { do: "commit", message: "new" },
    ]);
    await stage.ok("start", "--branches", "feat/a", "--cli", "scripted", "--supervisor");
    await passDialogs(cli, "supervisor");
    await stage.until(({ agents }) => agents.some(({ id, state }) => id === "feat-a" && state === "verified"));

    /** Tells it to run this, allows it, and waits for what it printed. */
    const has = async (line: string, prints: RegExp) => {
      const ask = cli === "codex" ? "escalate" : "bash";
      const since = model.requests.length;
      await stage.ok("tell", "supervisor", `Please [[${ask} ${line}]] [[text done]]`);
      await eventually(async () => {
        for (const { id, kind } of (await stage.status()).needsYou)
          if (kind === "approval") await stage.bm("answer", id, "allow");
        return model.requests.slice(since).some(({ results }) => results.some((result) => prints.test(result)));
      });
    };
    await has("banksman verify feat-a", /pass +test/);
    await has("banksman land feat/a --yes", /A token of the role supervisor may not ask for land/);
    supervisor('may = ["land"]\n');
    await has("banksman land feat/a --yes", /landed +feat\/a/);
    expect(stage.repo.git("ls-tree", "--name-only", "main")).toContain("new");
  });

  /** Those whose hooks say which conversation they are in, or who take it from us. */
  const resuming = CLIS.filter((cli) => cli !== "opencode");
  it.each(resuming)("%s goes on in its own conversation after tmux and supervisor were killed", async (cli) => {
    install(stage, model.url, [cli]);
    const brief = join(stage.repo.folder, "task.md");
    writeFileSync(brief, "Remember the word heron. [[text noted]]");
    await stage.ok("start", "--branches", "feat/a", "--cli", cli, "--brief", brief);
    await passDialogs(cli);
    await stage.until(({ agents }) => agents[0]?.state === "idle");
    await stage.killSupervisor();
    stage.tmux("kill-server");
    const before = model.requests.length;
    await stage.ok("start");
    await stage.until(() => model.requests.slice(before).some(({ prompt }) => prompt.includes("interrupted")));
    const resumed = model.requests.slice(before).find(({ prompt }) => prompt.includes("interrupted"));
    expect(resumed?.users.join("\n")).toContain("the word heron");
  });

  it.skipIf(!(CLIS as readonly string[]).includes("claude"))(
    "claude hears a message after its tool call, one more instead of stopping, and at rest three in one paste",
    async () => {
      install(stage, model.url, ["claude"], { approval: "manual" });
      const brief = join(stage.repo.folder, "task.md");
      writeFileSync(
        brief,
        "Do [[bash touch began; until test -e go; do sleep 0.1; done]] [[slow 6]] [[text finished]]",
      );
      const began = model.requests.length;
      const since = () => model.requests.slice(began).filter(({ step }) => step !== "aside");
      /**
       * In how many texts of the last request a word is; each has the whole conversation. What a hook adds beside a tool's
       * result is no user's text; why it may not stop claude says twice, once as a user's.
       */
      const heard = (word: string, { users, raw } = since().at(-1) ?? { users: [], raw: "" }) =>
        (word === "heron" ? raw.split(word).length : users.join("\n").split(word).length) - 1;
      await stage.ok("start", "--branches", "feat/a", "--cli", "claude", "--brief", brief);
      await passDialogs("claude");
      await stage.ok("answer", await asked("touch began"), "allow");
      await eventually(() => existsSync(join(stage.worktree("feat-a"), "began")));

      await stage.ok("tell", "feat-a", "the word is heron");
      expect(since().some(({ raw }) => raw.includes("heron"))).toBe(false);
      writeFileSync(join(stage.worktree("feat-a"), "go"), "");
      await eventually(() => since().some(({ results }) => results.length === 1));
      expect(heard("heron")).toBe(1);

      await stage.ok("tell", "feat-a", "the word is egret");
      await eventually(() => heard("egret") === 1);
      expect(heard("heron")).toBe(1);
      await stage.until(({ agents }) => agents[0]?.state === "idle");

      const turns = since().length;
      const kites = ["first kite", "second kite", "third kite"];
      await publish(kites.map((text) => feedback("feat-a", text)));
      await eventually(() => since().length > turns);
      expect(kites.map((kite) => [kite, heard(kite)])).toEqual(kites.map((kite) => [kite, 1]));
      await stage.until(({ agents }) => agents[0]?.state === "idle");
      await publish([feedback("feat-a", "fourth kite")]);
      const before = since().length;
      await eventually(() => since().length > before);
      for (const word of ["heron", "egret", ...kites, "fourth kite"]) expect([word, heard(word)]).toEqual([word, 1]);
    },
  );

  it.skipIf(!(CLIS as readonly string[]).includes("gemini"))("gemini's question of trust gets no key", async () => {
    install(stage, model.url, ["gemini"], { folderTrust: true });
    const before = model.requests.length;
    await stage.ok("start", "--branches", "feat/a", "--cli", "gemini");
    const { agents, needsYou } = await stage.until(({ agents: all }) => all[0]?.phase === "trust");
    expect([agents[0]?.state, needsYou[0]?.kind]).toEqual(["waiting", "trust"]);
    expect(model.requests.slice(before)).toEqual([]);
  });
});

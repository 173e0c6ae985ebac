import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { draw, read } from "../epics/sketch.ts";
import { BIN, eventually, Stage, untilGone } from "../stage.ts";

const PLAYER = resolve("test/epics/player.mjs");
const SIX =
  "t-1 queued; t-2 queued depends=t-1; t-3 queued depends=t-1; t-4 queued depends=t-2,t-3; t-5 queued; t-6 queued depends=t-5";

let stage: Stage;
beforeEach(() => {
  stage = new Stage({ "README.md": "hello\n" });
});
afterEach(() => stage.dispose());

const epicFile = () => join(stage.root, ".banksman/epics/e.md");
const epic = () => read(readFileSync(epicFile(), "utf8"));

/** The person's own config: nothing in it needs trust. */
function lay(items: string, worker: string, workers: string): void {
  const argv = (failing: string) => JSON.stringify([process.execPath, PLAYER, worker, failing]);
  const roles = ["planner", "marsha", "critic"].map((role) => `[roles.${role}]\ncommand = ${argv("t-2")}`);
  mkdirSync(join(stage.home, ".config/banksman"), { recursive: true });
  // Nobody else is there: what is anybody's waits until the worker has a hand free.
  const others = ["claude", "codex", "gemini", "opencode", "pi"].map((name) => `[workers.${name}]\ncapacity = 0`);
  writeFileSync(join(stage.home, ".config/banksman/config.toml"), [...roles, ...others, workers, ""].join("\n"));
  mkdirSync(join(stage.root, ".banksman/epics"), { recursive: true });
  writeFileSync(epicFile(), draw({ items }));
}

const COMMAND_WORKER = (log: string, seconds: number) =>
  `[workers.hand]\ncapacity = 2\ncommand = ${JSON.stringify(["sh", "-c", `echo "$1" >> '${log}'; sleep ${seconds}; echo "pr: https://x/pull/$2"`, "sh", "{key}", "{item}"])}`;

const ends = (text: string) => text.split("\n").filter(Boolean);

describe("epic loop", () => {
  it("brings six items to their review surface with commands, killed and resumed, nobody sent twice", async () => {
    const log = join(stage.repo.folder, "sent");
    lay(SIX, "hand", COMMAND_WORKER(log, 0.5));
    for (const rows of [1, 4, 7]) {
      const loop = stage.spawn("epic", "loop", "e");
      await eventually(() => epic().memory.length >= rows);
      loop.kill("SIGKILL");
      await untilGone(loop.pid ?? 0);
    }
    await stage.ok("epic", "loop", "e");
    expect([
      epic()
        .memory.map((row) => `${row.decision} ${row.class} ${row.notes}`)
        .join("\n"),
      epic().status,
    ]).toEqual([expect.stringContaining("finished"), "ready_for_user_review"]);
    expect(epic()).toMatchObject({ lease: null, intent: null });
    expect(epic().items.map(({ id, status }) => `${id} ${status}`)).toEqual(
      ["t-1", "t-2", "t-3", "t-4", "t-5", "t-6", "t-2-fix1"].map((id) => `${id} ready_for_user_review`),
    );
    const sent = ends(readFileSync(log, "utf8"));
    expect([sent.length, new Set(sent).size]).toEqual([7, 7]);
  });

  it("sends nobody whose CLI is not here, writes nothing of a dispatch, and says what is missing", async () => {
    lay("t-1 queued ghost", "ghost", '[workers.ghost]\ncapacity = 1\n[clis.ghost]\ncommand = ["/no/such/ghost"]');
    const said = await stage.ok("epic", "loop", "e");
    expect(said).toMatch(
      /^e {2}dispatch_halt: dispatch t-1 refused \(.*t-1 asks for ghost \(ghost cannot run here: `\/no\/such\/ghost`, the command of ghost, was not found\)/,
    );
    expect(epic().memory.map((row) => row.class)).toEqual(["dispatch_halt"]);
  });

  it("ends after the tick it is in at the first Ctrl-C", async () => {
    lay("t-1 queued; t-2 queued", "hand", COMMAND_WORKER(join(stage.repo.folder, "sent"), 0));
    const go = join(stage.repo.folder, "go");
    const slowly = ["sh", "-c", `while [ ! -e '${go}' ]; do sleep 0.05; done; exec "$@"`, "sh"];
    const config = join(stage.home, ".config/banksman/config.toml");
    const argv = JSON.stringify([...slowly, process.execPath, PLAYER, "hand", "t-2"]);
    writeFileSync(
      config,
      readFileSync(config, "utf8").replace(/(?<=\[roles\.planner\]\ncommand = ).*/, () => argv),
    );
    const loop = stage.spawn("epic", "loop", "e");
    const left = new Promise((resolve) => loop.once("exit", resolve));
    let said = "";
    loop.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    await eventually(() => epic().lease !== null);
    loop.kill("SIGINT");
    await eventually(() => said.includes("Ending after this tick"));
    writeFileSync(go, "");
    expect([await left, epic().lease, epic().memory.map((row) => row.class)]).toEqual([0, null, ["dispatch_ok"]]);
  });

  it("does it with agents of the session, in real worktrees", async () => {
    lay("t-1 queued; t-2 queued depends=t-1", "scripted", '[workers.scripted]\nmode = "session"\ncapacity = 2');
    await stage.ok("epic", "loop", "e");
    expect(epic().status).toBe("ready_for_user_review");
    const surfaces = epic().items.map(({ surface }) => surface);
    expect(surfaces).toEqual(surfaces.map(() => expect.stringMatching(/^branch epic\/e\/t-[12](-fix1)?\.1\.\d+$/)));
    const branches = execFileSync("git", ["branch", "--list", "epic/*"], { cwd: stage.root, encoding: "utf8" });
    expect(ends(branches).length).toBe(3);
    expect((await stage.json<{ branch: string }[]>("agents")).length).toBe(3);
  });

  it("goes on from another clone, with the file and nothing else", async () => {
    lay(SIX, "hand", COMMAND_WORKER(join(stage.repo.folder, "sent"), 0.1));
    const loop = stage.spawn("epic", "loop", "e");
    await eventually(() => epic().memory.length >= 4);
    loop.kill("SIGKILL");
    await untilGone(loop.pid ?? 0);
    stage.repo.git("add", "--force", ".banksman/epics/e.md");
    stage.repo.git("commit", "-q", "-m", "The epic as it stands");
    const clone = join(stage.repo.folder, "clone");
    execFileSync("git", ["clone", "-q", stage.root, clone]);
    const there = () => read(readFileSync(join(clone, ".banksman/epics/e.md"), "utf8"));
    const own = { ...stage.env, BANKSMAN_STATE_DIR: join(stage.repo.folder, "other-state") };
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [BIN, ...args], { cwd: clone, env: own, encoding: "utf8", stdio: "pipe" });
    // Who was out when the other machine died is not known here: after four hours they are put back.
    const isOut = there().items.some(({ status, surface }) => status === "in_progress" && surface === "");
    const later = new Date(Date.now() + 5 * 3_600_000).toISOString();
    expect(run("stale-check", "--now", later)).toMatch(isOut ? /silent for 5 h\n/ : /No worker has been silent/);
    run("stale-check", "--reset", "--now", later);
    run("epic", "loop", "e");
    expect(there().status).toBe("ready_for_user_review");
  });

  it.each([
    ["commands", "hand", (log: string) => COMMAND_WORKER(log, 0)],
    ["agents of the session", "scripted", () => '[workers.scripted]\nmode = "session"\ncapacity = 2'],
  ])("sends nobody from a file that was put back to an older state, with %s", async (_, worker, workers) => {
    const log = join(stage.repo.folder, "sent");
    lay("t-1 queued; t-2 queued depends=t-1", worker, workers(log));
    const beginning = readFileSync(epicFile(), "utf8");
    await stage.ok("epic", "loop", "e");
    const ran = async () => [
      existsSync(log) ? ends(readFileSync(log, "utf8")) : [],
      (await stage.json<{ branch: string }[]>("agents")).map(({ branch }) => branch),
      readdirSync(join(stage.folder, "epics/e/sent")).sort(),
    ];
    const before = await ran();
    // As `git checkout -f` to before it and back leaves it; and again after a person has queued it.
    writeFileSync(epicFile(), beginning);
    for (const again of [
      ["epic", "loop", "e"],
      ["epic", "reset", "e"],
      ["epic", "loop", "e"],
    ])
      await stage.bm(...again);
    expect(epic().memory.filter((row) => row.class === "act_failed")[0]?.notes).toMatch(
      /was sent (before, )?by .*(needs another id|another epic has its id)/,
    );
    expect([epic().status, await ran()]).toEqual(["review", before]);
  });

  it("drains what is under way, too, and one drain at a time", async () => {
    lay("t-1 queued; t-2 queued", "hand", COMMAND_WORKER(join(stage.repo.folder, "sent"), 0.5));
    const first = stage.spawn("queue-drain");
    await eventually(() => epic().memory.length > 0);
    expect(await stage.ok("queue-drain")).toBe(`Another queue-drain is at it already (process ${first.pid}).\n`);
    first.kill("SIGKILL");
    await untilGone(first.pid ?? 0);
    expect(await stage.json<{ how: string }>("queue-drain")).toMatchObject({ how: "rest" });
    expect(epic().status).toBe("ready_for_user_review");
    expect(await stage.ok("queue-drain")).toBe("Nothing is queued.\n");
  });

  it("drains a queue, checks for the silent, and hears of a merge", async () => {
    lay("t-1 queued; t-2 in_progress hand active=-600", "hand", COMMAND_WORKER(join(stage.repo.folder, "sent"), 0));
    expect(await stage.json("stale-check")).toEqual([
      { epic: "e", item: "t-2", silentHours: expect.any(Number), reset: false, runs: false },
    ]);
    expect(epic().items[1]?.status).toBe("in_progress");
    expect(await stage.json("stale-check", "--reset")).toMatchObject([{ item: "t-2", reset: true }]);
    expect(epic().items[1]?.status).toBe("queued");
    await stage.ok("queue-drain");
    expect(epic().status).toBe("ready_for_user_review");
    expect(await stage.ok("queue-drain")).toBe("Nothing is queued.\n");
    expect(await stage.json("pr-merged", "https://x/pull/t-1")).toEqual([{ epic: "e", item: "t-1" }]);
    expect(await stage.json("pr-merged", "epic/e/t-2.1.9")).toEqual([{ epic: "e", item: "t-2" }]);
    expect(epic().items.map(({ status }) => status)).toEqual(["done", "done", "ready_for_user_review"]);
    expect((await stage.bm("pr-merged", "feat/other")).code).toBe(1);
    expect(await stage.bm("pr-merged", "--allow-none", "")).toMatchObject({
      code: 1,
      err: expect.stringMatching(/empty/),
    });
    writeFileSync(join(stage.root, ".banksman/epics/broken.md"), "no");
    expect((await stage.bm("queue-drain")).code).toBe(1);
    const third = epic().items[2]?.id;
    expect(await stage.bm("pr-merged", `epic/e/${third}.1.9`)).toMatchObject({
      code: 1,
      out: `${third} of e is done.\n`,
      err: expect.stringMatching(/broken\.md was not touched/),
    });
  });

  it("tells a person once, and a worker that cannot be started is a row and no more", async () => {
    lay("t-1 queued", "hand", '[workers.hand]\ncommand = ["/nowhere/at/all"]');
    const told = join(stage.repo.folder, "told");
    appendFileSync(
      join(stage.home, ".config/banksman/config.toml"),
      `[notify]\ncommand = ["sh", "-c", "echo \\"$1\\" >> '${told}'", "sh"]\n`,
    );
    await stage.ok("epic", "loop", "e");
    expect(epic()).toMatchObject({ status: "review" });
    await stage.ok("epic", "loop", "e");
    expect(ends(readFileSync(told, "utf8")).length).toBe(1);
    expect(readFileSync(told, "utf8")).toMatch(/^e: review, /);
  });

  it("lets a coding CLI play a role, headless, and refuses what it asks to do", async () => {
    lay("", "hand", "");
    writeFileSync(join(stage.home, ".config/banksman/config.toml"), '[roles.pauli]\ncli = "scripted"\n');
    const plan = { action: "decompose", items: [{ title: "One" }, { title: "Two" }] };
    stage.script("role-planner", [
      { do: "say", text: "I look around." },
      { do: "ask", command: "touch done-by-a-role" },
      { do: "run", argv: ["true"] },
      { do: "say", text: JSON.stringify(plan) },
    ]);
    expect(await stage.json("epic", "tick", "e")).toMatchObject({
      role: "planner",
      row: { class: "plan_review" },
      status: "review",
    });
    expect(existsSync(join(stage.root, "done-by-a-role"))).toBe(false);
  });
});

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Check } from "../../src/core/views/diagnose.ts";
import { eventually, Stage } from "../stage.ts";
import { HAS_TMUX } from "../tmux-server.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const doctor = async () => {
  const { code, out } = await stage.bm("doctor", "--json");
  const { status, checks } = JSON.parse(out) as { status: string; checks: Check[] };
  const found = checks.filter((check) => check.status !== "ok").map((check) => `${check.name} ${check.status}`);
  return { code, status, found, checks };
};

describe("doctor", () => {
  it("finds a good machine good, but for what nobody has set up", async () => {
    await stage.ok("clis", "add", "mine", "--", "sh", "-c", "true");
    const { code, found } = await doctor();
    expect([code, found.filter((each) => !/^(tmux|setpriv)/.test(each))]).toEqual([0, []]);
  });

  it("lists the CLIs that are on the PATH, whether anybody configured them or not", async () => {
    const clis = async () => (await doctor()).checks.find(({ name }) => name === "CLIs");
    const bin = join(stage.home, "bin");
    mkdirSync(bin);
    // Nothing of the machine's own: git, and what the test puts there.
    const git = spawnSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).stdout.trim();
    symlinkSync(git, join(bin, "git"));
    stage.env = { ...stage.env, PATH: bin };
    expect((await clis())?.status).toBe("warn");
    writeFileSync(join(bin, "claude"), "#!/bin/sh\n", { mode: 0o755 });
    expect(await clis()).toMatchObject({ status: "ok", detail: "claude" });
    expect(await stage.ok("clis")).toMatch(/^claude {2}claude {2}version unknown {2}\(detected; /m);
  });

  it("names what is broken: no tmux, an old one, a config that is none, a supervisor that died, a lost worktree", async () => {
    await stage.start("feat/a");
    await stage.allIn("done");
    await stage.killSupervisor();
    rmSync(stage.worktree("feat-a"), { recursive: true });
    stage.repo.write(stage.root, ".banksman/config.toml", "typo = 1\n[broken\n");
    const bin = join(stage.home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "tmux"), "#!/bin/sh\necho tmux 1.8\n", { mode: 0o755 });
    stage.env = { ...stage.env, PATH: `${bin}:${stage.env.PATH}` };
    const { code, status, found, checks } = await doctor();
    expect([code, status]).toEqual([1, "fail"]);
    expect(found).toEqual(
      expect.arrayContaining(["tmux warn", "config fail", "background process warn", "worktrees warn"]),
    );
    for (const check of checks.filter((each) => each.status !== "ok")) expect(check.remedy.length).toBeGreaterThan(10);
    chmodSync(join(bin, "tmux"), 0o644);
    stage.env = { ...stage.env, PATH: bin };
    expect((await doctor()).found).toEqual(expect.arrayContaining(["git fail", "tmux warn"]));
  });

  it("outside a repository looks at the machine all the same", async () => {
    const { code, out } = await stage.bmIn(stage.home, "doctor");
    expect([code, out]).toEqual([1, expect.stringMatching(/git: [\s\S]*fail {2}repository: this folder is not/)]);
  });
});

describe("doctor --fix", () => {
  const fixed = async () =>
    (await stage.json<{ fixed: { name: string; ok: boolean; did: string }[] }>("doctor", "--fix")).fixed;

  it("mends what can be mended without a loss, says what it did, and has nothing left to do", async () => {
    stage.script("feat-a", [{ do: "daemon" }, { do: "status", text: "at it" }, { do: "stall" }]);
    await stage.start("feat/a");
    await stage.until(({ agents }) => agents[0]?.evidence.includes("at it") === true);
    stage.repo.write(stage.worktree("feat-a"), "draft", "d\n");
    await stage.killSupervisor();
    rmSync(join(stage.root, ".banksman/.gitignore"));
    chmodSync(stage.folder, 0o755);
    mkdirSync(join(stage.folder, "launch"), { recursive: true });
    writeFileSync(join(stage.folder, "launch/x.sh"), "TOKEN=1\n");
    expect((await doctor()).found).toEqual(
      expect.arrayContaining(["modes warn", "ignore file warn", "launchers warn", "background process warn"]),
    );
    const done = await fixed();
    expect(done.map(({ name, ok }) => [name, ok])).toEqual([
      ["modes", true],
      ["ignore file", true],
      ["launchers", true],
      ["background process", true],
    ]);
    expect([statSync(stage.folder).mode & 0o777, existsSync(join(stage.folder, "run.json"))]).toEqual([0o700, false]);
    expect([stage.marked(), existsSync(join(stage.folder, "launch/x.sh"))]).toEqual([[], false]);
    expect(stage.repo.git("status", "--porcelain")).toBe("");
    expect(stage.repo.read(stage.worktree("feat-a"), "draft")).toBe("d\n");
    expect(await fixed()).toEqual([]);
    await stage.ok("start", "--headless");
    await stage.until(({ agents }) => agents[0]?.state === "working");
  });

  it.skipIf(!HAS_TMUX)("leaves agents that go on in tmux without their supervisor where they are", async () => {
    stage.script("feat-a", [{ do: "status", text: "at it" }, { do: "stall" }]);
    await stage.ok("start", "--branches", "feat/a", "--cli", "scripted");
    await stage.until(({ agents }) => agents[0]?.evidence.includes("at it") === true);
    const before = stage.panes();
    await stage.killSupervisor();
    expect((await fixed()).map(({ name }) => name)).toEqual(["background process"]);
    expect(stage.panes()).toEqual(before);
    expect((await stage.status()).agents[0]?.state).toBe("working");
  });
});

describe("doctor --live", () => {
  it("sees git, tmux and a supervisor really work, and leaves nothing behind", async () => {
    stage.env = { ...stage.env, TMPDIR: stage.scripts };
    const { code, out } = await stage.bm("doctor", "--live", "--json");
    const live = (JSON.parse(out) as { checks: Check[] }).checks.filter(({ group }) => group === "live");
    expect([code, live.map(({ name, status }) => `${name} ${status}`)]).toEqual([
      0,
      ["live git ok", ...(HAS_TMUX ? ["live tmux ok"] : []), "live background process ok"],
    ]);
    expect(live.at(-1)?.detail).toMatch(/http:\/\/127\.0\.0\.1:\d+ answered/);
    expect(readdirSync(stage.scripts)).toEqual([]);
  });

  it("says what does not work", async () => {
    const bin = join(stage.home, "bin");
    mkdirSync(bin);
    const git = spawnSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).stdout.trim();
    const line = `case "$*" in *"worktree add"*) echo no room here >&2; exit 1;; esac; exec ${git} "$@"`;
    writeFileSync(join(bin, "git"), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
    stage.env = { ...stage.env, PATH: `${bin}:${stage.env.PATH}` };
    const { code, out } = await stage.bm("doctor", "--live");
    expect([code, out]).toEqual([1, expect.stringMatching(/fail {2}live git: [^\n]*no room here/)]);
    expect(out).not.toContain("live background process");
  });
});

it("clis are added to and removed from the user's config, comments kept", async () => {
  const path = join(stage.home, ".config/banksman/config.toml");
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, '# mine\ndefault_cli = "one" # for now\n');
  await stage.ok("clis", "add", "one", "--protocol", "events", "--", "sh", "-c", "exit 0");
  await stage.ok("clis", "add", "two", "cat");
  const mine = (await stage.json<{ name: string }[]>("clis", "list")).filter(({ name }) =>
    ["scripted", "one", "two"].includes(name),
  );
  expect(mine).toMatchObject([
    { name: "scripted", source: "detected" },
    { name: "one", command: "sh -c exit 0", source: "custom", channels: ["headless", "tmux", "messages"] },
    { name: "two", source: "custom", channels: ["headless", "tmux"] },
  ]);
  await stage.ok("clis", "remove", "one");
  const left = readFileSync(path, "utf8");
  expect([
    left.startsWith('# mine\ndefault_cli = "one" # for now\n'),
    left.includes("exit 0"),
    left.includes("cat"),
  ]).toEqual([true, false, true]);
  for (const [args, said] of [
    [["remove", "twoo"], /no CLI "twoo"[\s\S]*Did you mean two/],
    [["add", "bad name", "x"], /cannot be a name/],
    [["frob"], /clis takes list/],
  ] as const) {
    const { code, err } = await stage.bm("clis", ...args);
    expect([code, err]).toEqual([1, expect.stringMatching(said)]);
  }
});

describe.skipIf(!HAS_TMUX)("in tmux", () => {
  it("paused agents are told nothing, and everything when they are resumed", async () => {
    stage.script("feat-a", [{ do: "wait" }, { do: "status", text: "heard it" }, { do: "stall" }]);
    await stage.ok("start", "--branches", "feat/a", "--cli", "scripted");
    await stage.ok("pause");
    expect((await stage.status()).status).toBe("paused");
    await stage.ok("tell", "feat-a", "later");
    await stage.ok("tell", "feat-a", "and this");
    expect(await stage.json("inbox", "feat-a")).toMatchObject([{ delivered: false }, { delivered: false }]);
    await stage.ok("resume");
    await stage.until(({ agents, status }) => status === "active" && agents[0]?.evidence.includes("heard it") === true);
    await stage.ok("pause", "feat-a");
    expect((await stage.status()).status).toBe("active");
    expect(await stage.ok("start")).toContain("feat-a");
  });

  it.each([["feat-a.log"], ["feat-a.log.1"]])("replay does not wait for a pipe in the place of %s", async (name) => {
    stage.script("feat-a", [{ do: "say", text: "a line" }, { do: "stall" }]);
    await stage.start("feat/a");
    await stage.ok("stop");
    const [session = ""] = readdirSync(join(stage.root, ".banksman/logs"));
    const file = join(stage.root, ".banksman/logs", session, name);
    rmSync(file, { force: true });
    spawnSync("mkfifo", [file]);
    for (const args of [
      ["replay", "feat-a"],
      ["replay", "--list"],
    ])
      await stage.bm(...args);
    expect((await stage.bm("replay", "feat-a")).code).toBe(1);
  });

  it("what a pane has shown can be read later, without escapes", async () => {
    stage.script("feat-a", [{ do: "say", text: "a line to remember" }, { do: "stall" }]);
    await stage.ok("start", "--branches", "feat/a", "--cli", "scripted");
    await eventually(async () => (await stage.bm("replay", "feat/a")).out.includes("a line to remember"));
    await stage.ok("stop");
    const text = await stage.ok("replay", "feat-a");
    expect([text.includes("a line to remember"), text.includes("\u001b")]).toEqual([true, false]);
    expect(await stage.json("replay", "--list")).toMatchObject([{ agent: "feat-a" }]);
    expect(await stage.json("replay", "feat-a")).toMatchObject({ text: expect.stringContaining("a line to remember") });
    expect((await stage.bm("replay", "feat-x")).err).toMatch(/no agent called/);
    expect(existsSync(join(stage.root, ".banksman/logs"))).toBe(true);
  });

  it("what a headless agent was told, said and did can be read, by its id or its branch", async () => {
    stage.script("feat-up_x-b915", [
      { do: "say", text: "a word of mine" },
      { do: "status", text: "at it" },
    ]);
    await stage.ok("start", "--headless", "--branches", "Feat/UP_x", "--cli", "scripted");
    await stage.until(({ agents }) => agents[0]?.state === "done");
    const text = await stage.ok("replay", "Feat/UP_x");
    expect(text).toMatch(/^> .*\n/);
    expect(text).toContain("\na word of mine\n");
    expect(text).not.toMatch(/^\{/m);
    expect(await stage.ok("peek", "Feat/UP_x")).toContain("a word of mine");
    expect(await stage.json("peek", "feat-up_x-b915")).toMatchObject({ pane: null });
    expect(await stage.json("replay", "feat-up_x-b915")).toMatchObject({
      agent: "feat-up_x-b915",
      entries: expect.arrayContaining([{ type: "text", text: "a word of mine" }]),
    });
    const { code, err } = await stage.bm("replay", "Feat/UP_x", "--session", "nope");
    expect([code, err]).toEqual([1, expect.stringMatching(/no logs of a session called `nope`[\s\S]*`bm-/)]);
    expect(await stage.ok("replay", "--list")).toMatch(/^feat-up_x-b915 {2}\d+ bytes {2}\d\d:\d\d:\d\d\n$/);
  });
});

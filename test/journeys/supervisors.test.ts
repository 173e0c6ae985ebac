import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tiedToUs } from "../../src/adapters/process/tied.ts";
import { lives } from "../../src/cli/supervisor/state-files.ts";
import { eventually, Stage, untilGone } from "../stage.ts";

let stage: Stage;
const servers: Server[] = [];
beforeEach(() => {
  stage = new Stage();
  stage.script("feat-a", [{ do: "stall" }]);
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await stage.dispose();
});

/** Takes a port, as soon as it is free. */
async function squat(port: number, heard: (text: string) => void = () => undefined): Promise<void> {
  const squatter = createServer((socket) => socket.on("data", (data) => heard(data.toString())));
  servers.push(squatter);
  const taken = () =>
    new Promise<boolean>((resolve) => {
      squatter.once("error", () => resolve(false));
      squatter.listen(port, "127.0.0.1", () => resolve(true));
    });
  await eventually(taken);
}

const runFile = () =>
  JSON.parse(readFileSync(join(stage.folder, "run.json"), "utf8")) as { url: string; pid: number; protocol: number };

describe("one supervisor per repository", () => {
  it("a second one exits 3, naming the first", async () => {
    await stage.start("feat/a");
    const pid = await stage.supervisorPid();
    const { code, err } = await stage.bm("serve");
    expect([code, err]).toEqual([3, expect.stringMatching(new RegExp(`pid ${pid} at http://127`))]);
    expect((await stage.bmIn(stage.worktree("feat-a"), "serve")).code).toBe(3);
    expect(await stage.supervisorPid()).toBe(pid);
  });

  it("many commands at once start exactly one", async () => {
    const ran = await Promise.all(
      Array.from({ length: 5 }, () => stage.bm("start", "--headless", "--branches", "feat/a", "--cli", "scripted")),
    );
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(stage.marked().length).toBe(1);
    expect((await stage.status()).agents.length).toBe(1);
  });

  it("a stopped one is never deposed, and said to be silent; continued, it goes on", async () => {
    await stage.start("feat/a");
    const pid = await stage.supervisorPid();
    process.kill(pid, "SIGSTOP");
    stage.impatient();
    const [second, tell] = await Promise.all([stage.bm("serve"), stage.bm("tell", "feat-a", "x")]);
    expect([second.code, tell.code, tell.err]).toEqual([
      3,
      1,
      expect.stringMatching(new RegExp(`pid ${pid}[\\s\\S]*kill -CONT ${pid}`)),
    ]);
    process.kill(pid, "SIGCONT");
    await stage.ok("tell", "feat-a", "x");
    expect(await stage.supervisorPid()).toBe(pid);
  });

  it("whatever HOME or state folder it is started with: others are told where it is, and touch nothing", async () => {
    await stage.start("feat/a");
    const [pid, agents] = [await stage.supervisorPid(), stage.marked()];
    const own = stage.env;
    stage.env = { ...own, BANKSMAN_STATE_DIR: join(stage.repo.folder, "elsewhere") };
    const refused = expect.stringMatching(new RegExp(`pid ${pid}[^]*keeps its state in ${stage.folder}`));
    const commands = [
      ["start", "--headless", "--branches", "other", "--cli", "scripted"],
      ["purge", "--stale", "--force"],
      ["purge", "--force"],
      ["stop"],
      ["status"],
      ["tell", "feat-a", "x"],
    ];
    for (const args of commands) {
      const { code, err } = await stage.bm(...args);
      expect([args, code, err]).toEqual([args, 1, refused]);
    }
    expect((await stage.bm("serve")).code).toBe(3);
    stage.env = own;
    expect([stage.marked(), (await stage.status()).agents.map(({ state }) => state)]).toEqual([agents, ["working"]]);
    await stage.ok("stop");
    stage.env = { ...own, BANKSMAN_STATE_DIR: join(stage.repo.folder, "elsewhere") };
    expect(await stage.ok("status")).toMatch(/No session/);
    stage.env = own;
  });

  it("a session that is stopped, or whose supervisor died, belongs to its state folder: others touch nothing of it", async () => {
    await stage.start("feat/a");
    stage.repo.write(stage.worktree("feat-a"), "work.txt", "precious\n");
    const [own, home] = [stage.env, stage.folder];
    const other = { ...own, BANKSMAN_STATE_DIR: join(stage.repo.folder, "elsewhere") };
    const left = [() => stage.killSupervisor(), () => stage.start("").then(() => stage.ok("stop"))];
    for (const leave of left) {
      stage.env = own;
      await leave();
      // Where the system lets them, agents die with their supervisor, a moment after it.
      const tied = (await tiedToUs(["true"])).length > 1;
      if (tied) await eventually(() => stage.marked().length === 0);
      const running = stage.marked();
      stage.env = other;
      for (const args of [["start", "--headless", "--branches", "other"], ["purge", "--stale", "--force"], ["serve"]]) {
        const { code, err } = await stage.bm(...args);
        expect([args, code, err]).toEqual([args, 1, expect.stringContaining(`is kept in ${home}`)]);
      }
      expect([stage.marked(), existsSync(join(stage.worktree("feat-a"), "work.txt"))]).toEqual([running, true]);
    }
    stage.env = own;
    await stage.ok("purge", "--force");
    stage.env = other;
    await stage.start("other");
    await stage.ok("purge", "--force");
    stage.env = own;
  });

  it("two repositories do not know of each other", async () => {
    const other = new Stage();
    try {
      other.env = { ...other.env, BANKSMAN_STATE_DIR: stage.state };
      other.script("feat-a", [{ do: "stall" }]);
      await Promise.all([stage.start("feat/a"), other.start("feat/a")]);
      const [mine, theirs] = [await stage.status(), await other.status()];
      expect(mine.supervisor?.url).not.toBe(theirs.supervisor?.url);
      await stage.ok("stop");
      expect((await other.status()).status).toBe("active");
      await other.ok("stop");
    } finally {
      await other.dispose();
    }
  });
});

describe("a stale run.json", () => {
  it("of a dead process is nobody's", async () => {
    await stage.start("feat/a");
    await stage.killSupervisor();
    expect(existsSync(join(stage.folder, "run.json"))).toBe(true);
    expect((await stage.status()).supervisor).toBe(null);
    await stage.start("");
    expect((await stage.status()).status).toBe("active");
  });

  it("that names a living stranger, with another program on the port, does not hinder a start", async () => {
    await stage.start("feat/a");
    await stage.killSupervisor();
    const stale = runFile();
    const heard: string[] = [];
    await squat(Number(new URL(stale.url).port), (text) => heard.push(text));
    writeFileSync(join(stage.folder, "run.json"), JSON.stringify({ ...stale, pid: process.pid }));
    await stage.start("");
    const { supervisor } = await stage.status();
    expect(supervisor?.url).not.toBe(stale.url);
    // What the squatter may have heard is a token that died with its supervisor.
    const token = readFileSync(join(stage.folder, "operator.token"), "utf8").trim();
    expect(heard.join()).not.toContain(token);
  });

  it("that is not JSON is nobody's either", async () => {
    await stage.start("feat/a");
    await stage.killSupervisor();
    for (const text of ["", "{", "null", '{"pid":"x"}']) {
      writeFileSync(join(stage.folder, "run.json"), text);
      expect((await stage.status()).supervisor).toBe(null);
    }
  });
});

it("takes another port when its own is taken, and keeps that one", async () => {
  await stage.start("feat/a");
  const first = (await stage.status()).supervisor?.url ?? "";
  await stage.ok("serve", "--stop");
  await squat(Number(new URL(first).port));
  await stage.start("");
  const second = (await stage.status()).supervisor?.url;
  expect(second).not.toBe(first);
  await stage.ok("serve", "--restart");
  expect((await stage.status()).supervisor?.url).toBe(second);
});

describe("ending and renewing", () => {
  it("stops cleanly on SIGTERM, and brings agents back later", async () => {
    await stage.start("feat/a");
    const pid = await stage.supervisorPid();
    process.kill(pid, "SIGTERM");
    await untilGone(pid);
    expect([existsSync(join(stage.folder, "run.json")), stage.marked()]).toEqual([false, []]);
    await stage.start("");
    expect((await stage.status()).agents).toMatchObject([{ state: "working" }]);
  });
  it("restarts, and the agents go on", async () => {
    await stage.start("feat/a");
    const before = await stage.supervisorPid();
    await stage.ok("serve", "--restart");
    const snapshot = await stage.until(({ agents }) => agents[0]?.state === "working");
    expect([snapshot.supervisor?.pid === before, lives(before), stage.marked().length]).toEqual([false, false, 1]);
  });
  it("runs in the foreground until Ctrl-C", async () => {
    const child = stage.spawn("serve");
    const said = await new Promise<string>((resolve) =>
      child.stdout.once("data", (data: Buffer) => resolve(data.toString())),
    );
    expect(said).toMatch(/Supervising app at http/);
    const code = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGINT");
    expect(await code).toBe(0);
  });
  it("leaves when its repository is gone", { timeout: 60_000 }, async () => {
    await stage.start("feat/a");
    const pid = await stage.supervisorPid();
    renameSync(stage.root, `${stage.root}-moved`);
    await untilGone(pid);
  });
});

describe("the journal", () => {
  const journal = () => join(stage.folder, "journal.db");
  const sql = (path: string, text: string): unknown[] => {
    const script = `const D=require(${JSON.stringify(createRequire(import.meta.url).resolve("libsql"))}); const d=new D(${JSON.stringify(path)}); console.log(JSON.stringify(d.prepare(${JSON.stringify(text)}).all())); d.close();`;
    return JSON.parse(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" })) as unknown[];
  };

  it("of a newer version is refused with a sentence, and not touched", async () => {
    await stage.start("feat/a");
    await stage.ok("serve", "--stop");
    sql(journal(), "PRAGMA user_version = 99");
    const before = readFileSync(journal());
    for (const ran of [await stage.bm("start", "--headless"), await stage.bm("status"), await stage.bm("serve")]) {
      expect([ran.code, ran.err]).toEqual([
        1,
        expect.stringMatching(/written by a newer banksman \(schema 99.*\n.*Update banksman/),
      ]);
    }
    expect(readFileSync(journal()).equals(before)).toBe(true);
  });

  it("that is no journal is refused with a sentence", async () => {
    await stage.start("feat/a");
    await stage.ok("serve", "--stop");
    writeFileSync(journal(), "this is not a database, but it is long enough to be taken for one".repeat(100));
    const { code, err } = await stage.bm("start", "--headless");
    expect([code, err]).toEqual([1, expect.stringMatching(/cannot be read: .*\n.*Move it away/)]);
  });

  it("that was lost costs what was said, not what was done", async () => {
    await stage.start("feat/a");
    await stage.ok("stop");
    for (const name of readdirSync(stage.folder).filter((each) => each.startsWith("journal")))
      renameSync(join(stage.folder, name), join(stage.repo.folder, name));
    expect((await stage.status()).session).toBe(null);
    await stage.start("feat/a");
    expect((await stage.status()).agents).toMatchObject([{ worktree: stage.worktree("feat-a"), state: "working" }]);
  });
});

it("says what to do when supervisor and command do not speak the same protocol", async () => {
  await stage.start("feat/a");
  const fake = createServer((socket) => {
    socket.once("data", () => {
      const body = JSON.stringify({ git_paw: true, protocol: 99, repository: join(stage.root, ".git"), agents: [] });
      socket.end(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
      );
    });
  });
  servers.push(fake);
  await new Promise<void>((resolve) => fake.listen(0, "127.0.0.1", resolve));
  const address = fake.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const real = readFileSync(join(stage.folder, "run.json"), "utf8");
  writeFileSync(
    join(stage.folder, "run.json"),
    JSON.stringify({ ...JSON.parse(real), url: `http://127.0.0.1:${port}`, protocol: 99 }),
  );
  const { code, err } = await stage.bm("tell", "feat-a", "x");
  expect([code, err]).toEqual([1, expect.stringMatching(/speaks protocol 99, this command 1[\s\S]*serve --restart/)]);
  writeFileSync(join(stage.folder, "run.json"), real);
});

it.skipIf(!existsSync("/proc/self/cmdline"))("is started with a small nursery: a third of its memory", async () => {
  await stage.start("feat/a");
  const line = readFileSync(`/proc/${await stage.supervisorPid()}/cmdline`, "utf8");
  expect(line).toContain("\0--max-semi-space-size=4\0");
});

it("keeps its log and its lock to itself", async () => {
  await stage.start("feat/a");
  mkdirSync(join(stage.repo.folder, "x"));
  expect(readdirSync(join(stage.root, ".git/banksman"))).toEqual(["lock.db"]);
  expect(readdirSync(stage.folder).sort()).toEqual(
    expect.arrayContaining([
      "bin",
      "excludes",
      "journal.db",
      "operator.token",
      "run.json",
      "sessions",
      "supervisor.log",
    ]),
  );
  expect(readFileSync(join(stage.folder, "supervisor.log"), "utf8")).toBe("");
});

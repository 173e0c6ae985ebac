import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createCommand } from "../../src/adapters/process/command.ts";
import { killMarked } from "../../src/adapters/process/group.ts";
import type { Command, CommandOrder } from "../../src/ports/command.ts";
import { FakeCommand } from "../fakes/fake-command.ts";

const MARKER = `bm-command-test-${process.pid}`;
const env = { PATH: process.env.PATH ?? "" };
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const temp = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "bm-command-"));
  folders.push(folder);
  return folder;
};

describe.each<readonly [string, () => { command: Command; read(log: string): string }]>([
  [
    "fake",
    () => {
      const command = new FakeCommand();
      return { command, read: (log) => command.logs.get(log) ?? "" };
    },
  ],
  ["process", () => ({ command: createCommand(MARKER), read: (log) => readFileSync(log, "utf8") })],
])("Command (%s)", (_, make) => {
  const order = (argv: readonly string[], over: Partial<CommandOrder> = {}): CommandOrder => ({
    argv,
    cwd: tmpdir(),
    env,
    timeoutMs: 10_000,
    ...over,
  });

  it("tells the exit code", async () => {
    const { command } = make();
    expect([(await command.run(order(["true"]))).code, (await command.run(order(["false"]))).code]).toEqual([0, 1]);
  });
  it("passes arguments and input as they are", async () => {
    const { command } = make();
    const hostile = "$(id) `x`; 'q' \"d\"";
    expect(Buffer.from((await command.run(order(["echo", hostile]))).stdout).toString()).toBe(`${hostile}\n`);
    expect(Buffer.from((await command.run(order(["cat"], { input: "a\0b\n" }))).stdout).toString()).toBe("a\0b\n");
  });
  it("does not reject for a program that is not there", async () => {
    const { command } = make();
    expect(await command.run(order(["bm-no-such-program"]))).toMatchObject({
      code: null,
      timedOut: false,
      stderr: expect.stringContaining("ENOENT"),
    });
  });
  it("ends what takes too long", async () => {
    const { command } = make();
    expect(await command.run(order(["sleep", "60"], { timeoutMs: 50 }))).toMatchObject({ code: null, timedOut: true });
  });
  it("lets whoever asks hear what it prints", async () => {
    const { command } = make();
    let heard = "";
    await command.run(
      order(["echo", "one two"], {
        onOutput: (chunk) => {
          heard += Buffer.from(chunk).toString();
        },
      }),
    );
    expect(heard).toBe("one two\n");
  });
  it("ends what nobody wants any more", async () => {
    const { command } = make();
    const result = await command.run(order(["sleep", "60"], { timeoutMs: 100_000, signal: AbortSignal.abort() }));
    expect(result).toMatchObject({ code: null, timedOut: false, killedBy: "SIGKILL" });
  });
  it("keeps what was printed in a log", async () => {
    const { command, read } = make();
    const log = join(temp(), "deep/setup.log");
    await command.run(order(["sh", "-c", "echo one"], { log }));
    await command.run(order(["sh", "-c", "echo two"], { log }));
    expect(read(log)).toBe("one\ntwo\n");
  });
});

describe("a real command", () => {
  const run = (script: string, over: Partial<CommandOrder> = {}) =>
    createCommand(MARKER).run({ argv: ["sh", "-c", script], cwd: tmpdir(), env, timeoutMs: 10_000, ...over });

  it("leaves no process of its group behind, even one that ignores being asked", async () => {
    await run("trap '' TERM; (trap '' TERM; sleep 1000) & exit 0");
    await run("(trap '' TERM; sleep 1000) & sleep 1000", { timeoutMs: 100 });
    expect(await killMarked(MARKER)).toBe(0);
  });
  it("is not held up by a daemon that keeps the pipe open; its marker finds it", async () => {
    const up = join(temp(), "up");
    const { code } = await run(
      `setsid sh -c 'touch "$0"; exec sleep 1000' ${up} & until [ -e ${up} ]; do sleep 0.01; done; exit 0`,
    );
    expect([code, await killMarked(MARKER)]).toEqual([0, 1]);
  });
  it("keeps only the end of a long output, and logs where only the user reads", async () => {
    const log = join(temp(), "l");
    const { stdout } = await run("yes 0123456789 | head -n 100000; echo end", { log });
    expect([stdout.length, Buffer.from(stdout).toString().endsWith("end\n"), statSync(log).mode & 0o777]).toEqual([
      8192,
      true,
      0o600,
    ]);
  });
  it("keeps a log's beginning and end, and says how much is missing between", async () => {
    const log = join(temp(), "l");
    await run("echo begin; yes 0123456789 | head -n 100000; echo end", { log, mostLogBytes: 1_000 });
    const text = readFileSync(log, "utf8");
    expect([text.length < 1_100, text.startsWith("begin\n"), text.endsWith("789\nend\n")]).toEqual([true, true, true]);
    expect(text).toMatch(/\n… 1\d{6} bytes are left out here …\n/);
    const whole = join(temp(), "w");
    await run("seq 100", { log: whole, mostLogBytes: 1_000 });
    expect(readFileSync(whole, "utf8").split("\n").length).toBe(101);
  });
  it("is ended in the middle, with its group, and found by its own name", async () => {
    const stop = new AbortController();
    const running = run("(trap '' TERM; sleep 1000) & echo up; sleep 1000", {
      timeoutMs: 100_000,
      signal: stop.signal,
      marker: `${MARKER}.own.`,
      onOutput: () => stop.abort(),
    });
    expect(await running).toMatchObject({ code: null, timedOut: false, killedBy: "SIGKILL" });
    expect(await killMarked(`${MARKER}.own.`)).toBe(0);
  });
  it("dies of a signal with a word", async () => {
    expect(await run("kill -SEGV $$")).toMatchObject({ code: null, stderr: expect.stringContaining("SIGSEGV") });
  });
});

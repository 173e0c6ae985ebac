import { spawn } from "node:child_process";
import { closeSync, openSync, type WriteStream } from "node:fs";
import { setTimeout as sleep, setImmediate as turnOfLoop } from "node:timers/promises";
import type { Command, CommandOrder, CommandResult } from "../../ports/command.ts";
import { appendTo } from "./append-to.ts";
import { endGroup, MARKER, signalGroup } from "./group.ts";

/** Enough for the file list of a very large repository. */
const MOST_BYTES = 256 * 1024 * 1024;
const TAIL_BYTES = 8 * 1024;
/** How long output may still trickle in after the program has ended: only a runaway child holds the pipe longer. */
const DRAIN_MS = 1_000;
/** Turns of the event loop, in each of which a pipe's content (64 kB at most) is read. */
const READ_TURNS = 3;

/** Commands by node's own spawn: argv, a group of their own, ended as a group. `marker` names them as ours. */
export function createCommand(marker: string): Command {
  return { run: (order) => run(order, marker) };
}

function run(order: CommandOrder, marker: string): Promise<CommandResult> {
  const [program = "", ...args] = order.argv;
  const env = { ...order.env, [MARKER]: marker };
  return new Promise((resolve) => {
    const output = openOutput(order.output);
    if (output instanceof Error) return resolve(failed(output.message));
    const child = spawn(program, args, {
      cwd: order.cwd,
      env,
      detached: true,
      stdio: ["pipe", output ?? "pipe", "pipe"],
    });
    if (output !== null) closeSync(output);
    // Without a process (no more files may be open, for one) there are no pipes either.
    if (child.pid === undefined) {
      child.once("error", (error) => resolve(failed(error.message)));
      return;
    }
    const kept = order.log === undefined ? MOST_BYTES : TAIL_BYTES;
    const stdout = new Tail(kept);
    const stderr = new Tail(TAIL_BYTES);
    const log = order.log === undefined ? null : openLog(order.log);
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
    }, order.timeoutMs);
    const closed = new Promise((done) => child.once("close", done));
    const finish = async (code: number | null, why: string) => {
      clearTimeout(timer);
      if (child.pid !== undefined) await endGroup(child.pid, 0);
      await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })]);
      // A busy process runs that timer before it has read what lies in the pipes: half an answer would pass for a whole.
      for (let turn = 0; turn < READ_TURNS; turn++) await turnOfLoop();
      // What still holds them is no child of ours any more, and must not hold us.
      child.stdout?.destroy();
      child.stderr?.destroy();
      if (log !== null) await new Promise((done) => log.end(done));
      resolve({ code: timedOut ? null : code, timedOut, stdout: stdout.bytes(), stderr: stderr.text() + why });
    };
    child.stdout?.on("data", (chunk: Buffer) => [stdout.add(chunk), log?.write(chunk)]);
    child.stderr?.on("data", (chunk: Buffer) => [stderr.add(chunk), log?.write(chunk)]);
    child.on("error", () => undefined);
    child.on("exit", (code, signal) => finish(code, signal === null ? "" : `killed by ${signal}`));
    // A program that does not read its input closes the pipe: that is its right.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(order.input ?? "");
  });
}

const failed = (why: string): CommandResult => ({ code: null, timedOut: false, stdout: Buffer.alloc(0), stderr: why });

function openOutput(path: CommandOrder["output"]): number | null | Error {
  if (path === undefined) return null;
  try {
    return openSync(typeof path === "string" ? path : Buffer.from(path), "wx", 0o644);
  } catch (error) {
    return error as Error;
  }
}

/** Null where it cannot be opened: that does not stop the command it is the log of. */
function openLog(path: string): WriteStream | null {
  try {
    return appendTo(path);
  } catch {
    return null;
  }
}

/** The last `most` bytes of a stream. */
class Tail {
  private chunks: Buffer[] = [];
  private size = 0;

  constructor(private readonly most: number) {}

  add(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.length;
    while (this.size - (this.chunks[0]?.length ?? 0) >= this.most) this.size -= this.chunks.shift()?.length ?? 0;
  }

  bytes(): Buffer {
    const all = Buffer.concat(this.chunks);
    return all.length > this.most ? all.subarray(all.length - this.most) : all;
  }

  text(): string {
    return this.bytes().toString("utf8");
  }
}

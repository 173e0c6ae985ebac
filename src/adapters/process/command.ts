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
  const env = { ...order.env, [MARKER]: order.marker ?? marker };
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
    const log = order.log === undefined ? null : openLog(order.log, order.mostLogBytes);
    let timedOut = false;
    const end = () => child.pid !== undefined && signalGroup(child.pid, "SIGKILL");
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, order.timeoutMs);
    order.signal?.addEventListener("abort", end, { once: true });
    if (order.signal?.aborted) end();
    const closed = new Promise((done) => child.once("close", done));
    const finish = async (code: number | null, killedBy: NodeJS.Signals | null) => {
      clearTimeout(timer);
      order.signal?.removeEventListener("abort", end);
      if (child.pid !== undefined) await endGroup(child.pid, 0);
      await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })]);
      // A busy process runs that timer before it has read what lies in the pipes: half an answer would pass for a whole.
      for (let turn = 0; turn < READ_TURNS; turn++) await turnOfLoop();
      // What still holds them is no child of ours any more, and must not hold us.
      child.stdout?.destroy();
      child.stderr?.destroy();
      await log?.end();
      const why = killedBy === null ? "" : `killed by ${killedBy}`;
      resolve({
        code: timedOut ? null : code,
        timedOut,
        ...(killedBy !== null && { killedBy }),
        stdout: stdout.bytes(),
        stderr: stderr.text() + why,
      });
    };
    const heard = (tail: Tail) => (chunk: Buffer) => {
      tail.add(chunk);
      log?.write(chunk);
      order.onOutput?.(chunk);
    };
    child.stdout?.on("data", heard(stdout));
    child.stderr?.on("data", heard(stderr));
    child.on("error", () => undefined);
    child.on("exit", finish);
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

interface Log {
  write(chunk: Buffer): void;
  end(): Promise<unknown>;
}

/** Null where it cannot be opened: that does not stop the command it is the log of. */
function openLog(path: string, most = Number.POSITIVE_INFINITY): Log | null {
  try {
    return boundedLog(appendTo(path), most);
  } catch {
    return null;
  }
}

/** Of more than `most` bytes the first half is written as it comes, and the end when it is known to be the end. */
function boundedLog(stream: WriteStream, most: number): Log {
  const half = most / 2;
  const rest = new Tail(Number.isFinite(half) ? half : 0);
  let written = 0;
  let left = 0;
  return {
    write(chunk) {
      const now = chunk.subarray(0, Math.max(0, half - written));
      if (now.length > 0) stream.write(now);
      written += now.length;
      if (now.length === chunk.length) return;
      rest.add(chunk.subarray(now.length));
      left += chunk.length - now.length;
    },
    end() {
      const end = rest.bytes();
      if (left > end.length) stream.write(`\n… ${left - end.length} bytes are left out here …\n`);
      if (end.length > 0) stream.write(end);
      return new Promise((done) => stream.end(done));
    },
  };
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

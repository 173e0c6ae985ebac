import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as sleep } from "node:timers/promises";
import type { Delivery } from "../../core/delivery.ts";
import { type AgentEvent, isWeighty } from "../../core/events.ts";
import { Failed } from "../../core/failure.ts";
import type { AgentId, Instant } from "../../core/ids.ts";
import { LineCutter } from "../../core/lines.ts";
import { parseEvent } from "../../core/parse-event.ts";
import { printable } from "../../core/printable.ts";
import { redact } from "../../core/redact.ts";
import type { AgentCli, AgentOrder, LiveAgent } from "../../ports/agent-cli.ts";
import { endGroup, killMarked, MARKER } from "./group.ts";
import { LogFile } from "./log-file.ts";
import { tiedToUs } from "./tied.ts";

const LONGEST_LINE = 1024 * 1024;
/** How long output may still trickle in after the program has ended: only a runaway child holds the pipe longer. */
const DRAIN_MS = 1_000;

/** Agents as child processes with pipes. `events` CLIs speak JSON lines both ways; `plain` ones get the brief and EOF. */
export function createAgents(env: NodeJS.ProcessEnv): AgentCli {
  // Asked now, so that the first launch need not wait for the answer.
  void tiedToUs([]);
  return {
    find: async (program, cwd) => findProgram(program, cwd, env.PATH ?? ""),
    launch: (order) => launch(order),
    endLeftovers: (prefix, spare) => killMarked(prefix, spare),
  };
}

async function launch(order: AgentOrder): Promise<LiveAgent> {
  const [program = "", ...args] = order.cli.argv;
  const path = findProgram(program, order.cwd, order.env.PATH ?? "");
  if (path === null) throw new Failed({ kind: "cli.not-found", cli: order.cli.name, command: program });
  const resume =
    order.conversation === null
      ? []
      : order.cli.resumeArgs.map((arg) => arg.replaceAll("{session}", order.conversation ?? ""));
  const argv = await tiedToUs([path, ...args, ...resume]);
  const env = { ...order.env, [MARKER]: order.run };
  // Before there is a process: one that cannot be listened to must not run.
  const log = openLog(order);
  const child = spawn(argv[0] as string, argv.slice(1), { cwd: order.cwd, env, detached: true, stdio: "pipe" });
  await started(child, order);
  return new Conversation(child, order, log);
}

function openLog({ log, secrets }: AgentOrder): LogFile {
  try {
    return new LogFile(log, secrets);
  } catch (error) {
    throw new Failed({ kind: "file.failed", path: log, detail: (error as Error).message });
  }
}

function started(child: ChildProcessWithoutNullStreams, { cwd }: AgentOrder): Promise<void> {
  return new Promise((done, fail) => {
    child.once("spawn", done);
    child.once("error", (error) => fail(new Failed({ kind: "file.failed", path: cwd, detail: error.message })));
  });
}

/** A process that runs, from its start to its last line. */
class Conversation implements LiveAgent {
  readonly pid: number;
  readonly listens: boolean;
  readonly outlives = false;
  readonly pane = null;
  private readonly exited: Promise<void>;
  private end_: Extract<AgentEvent, { type: "end" }> | null = null;
  private lastLine = "";

  constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    private readonly order: AgentOrder,
    private readonly log: LogFile,
  ) {
    this.pid = child.pid ?? 0;
    this.listens = order.cli.protocol === "events";
    // Nothing of what it prints is used with its token in it: not in the log, not in a question, not as evidence.
    this.read(child.stdout, (line) => this.heard(redact(line, order.secrets)));
    this.read(child.stderr, (line) => this.noted(redact(line, order.secrets)));
    child.stdin.on("error", () => undefined);
    this.exited = new Promise((resolve) => child.once("exit", (code, signal) => resolve(this.leave(code, signal))));
    if (this.listens) this.send({ type: "prompt", text: order.brief });
    else child.stdin.end(order.brief);
  }

  answer(request: string, allow: boolean, note: string): Promise<void> {
    return this.say({ type: "permission", request, allow, note });
  }

  async tell(text: string): Promise<Delivery> {
    await this.say({ type: "message", text });
    return "submitted";
  }

  async end(): Promise<void> {
    if (this.listens) this.send({ type: "cancel" });
    await endGroup(this.pid);
    await killMarked(this.order.run);
    await this.exited;
  }

  private async say(line: object): Promise<void> {
    if (!this.listens || this.child.exitCode !== null || this.child.signalCode !== null || !this.child.stdin.writable) {
      throw new Failed({ kind: "agent.not-running", agent: this.order.env.BANKSMAN_AGENT as AgentId });
    }
    this.send(line);
  }

  private send(line: object): void {
    if (this.child.stdin.writable) this.child.stdin.write(`${JSON.stringify(line)}\n`);
  }

  private read(stream: NodeJS.ReadableStream, use: (line: string) => void): void {
    const cutter = new LineCutter(LONGEST_LINE);
    const decoder = new StringDecoder("utf8");
    stream.on("data", (chunk: Buffer) => cutter.push(decoder.write(chunk)).forEach(use));
    stream.on("end", () => [...cutter.push(decoder.end()), ...cutter.end()].forEach(use));
    stream.on("error", () => undefined);
  }

  private heard(line: string): void {
    this.noted(line);
    if (!this.listens) return;
    const event = parseEvent(line);
    if (event?.type === "end") this.end_ = event;
    else if (event !== null && isWeighty(event)) this.order.onEvent(event);
  }

  private noted(line: string): void {
    this.log.write(line);
    if (line.trim() !== "") this.lastLine = line;
    this.order.onSign();
  }

  /** The last lines first, then everything the agent left running, then the word that it is over. */
  private async leave(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    await endGroup(this.pid, 0);
    await killMarked(this.order.run);
    await Promise.race([drained(this.child), sleep(DRAIN_MS, undefined, { ref: false })]);
    // What still holds them has cleared its marker and left its group: it must not hold us as well.
    this.child.stdout.destroy();
    this.child.stderr.destroy();
    await this.log.close();
    const end = this.end_ === null ? null : { how: this.end_.how, message: this.end_.message };
    const lastLine = printable(this.lastLine).slice(0, 300);
    this.order.onExit({ at: Date.now() as Instant, code, signal, end, announces: this.listens, lastLine });
  }
}

function drained(child: ChildProcessWithoutNullStreams): Promise<unknown> {
  const ended = (stream: NodeJS.ReadableStream & { readableEnded?: boolean }) =>
    stream.readableEnded ? Promise.resolve() : new Promise((done) => stream.once("close", done));
  return Promise.all([ended(child.stdout), ended(child.stderr)]);
}

/** As a shell would find it: a path as it stands, a name along PATH. */
export function findProgram(program: string, cwd: string, path: string): string | null {
  if (program === "") return null;
  if (program.includes("/")) return runnable(isAbsolute(program) ? program : resolve(cwd, program));
  for (const folder of path.split(delimiter)) {
    const found = folder === "" ? null : runnable(join(folder, program));
    if (found !== null) return found;
  }
  return null;
}

function runnable(path: string): string | null {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? path : null;
  } catch {
    return null;
  }
}

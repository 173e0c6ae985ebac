import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as sleep } from "node:timers/promises";
import type { Delivery } from "../../core/agents/delivery.ts";
import { type AgentEvent, type EndHow, isWeighty } from "../../core/clis/events.ts";
import { printedLine, promptLine } from "../../core/clis/transcript.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { AgentId, Instant } from "../../core/text/ids.ts";
import { LineCutter } from "../../core/text/lines.ts";
import { printable } from "../../core/text/printable.ts";
import { redact } from "../../core/text/redact.ts";
import type { AgentOrder, LiveAgent, Speaks } from "../../ports/agent-cli.ts";
import { acpChannel } from "./acp-channel.ts";
import { type Channel, lineChannel, type Wire } from "./channel.ts";
import { endGroup, killMarked } from "./group.ts";
import type { LogFile } from "./log-file.ts";
import { TimeWatch } from "./time-limits.ts";

/** Some CLIs repeat their whole conversation in one line. */
const LONGEST_LINE = 8 * 1024 * 1024;
/** How long output may still trickle in after the program has ended: only a runaway child holds the pipe longer. */
const DRAIN_MS = 1_000;
/** How long one that was asked to stop what it is at may take to say that it did. */
const GOODBYE_MS = 2_000;
/** How long one that was let go may take before it is asked to end: some do not mind that their input has. */
const LEAVE_MS = 500;

const MOST_TOOLS = 1_000;

/** A process that runs, from its start to its last line. */
export class Conversation implements LiveAgent {
  readonly pid: number;
  readonly outlives = false;
  readonly pane = null;
  readonly at = null;
  private readonly channel: Channel;
  private readonly watch: TimeWatch;
  private readonly exited: Promise<void>;
  private readonly asked = new Set<string>();
  /** Tools at work: a test suite may be silent for long, and only the time at work limits it. */
  private readonly tools = new Set<string>();
  /** One after the other: what was told at one is not told again at the next. */
  private pausePoints: Promise<void> = Promise.resolve();
  private end_: { how: EndHow; message: string } | null = null;
  /** The last thing it said was that it tries again. */
  private retrying = false;
  private dismissed = false;
  private whenQuiet = () => {};
  private over: string | null = null;
  private lastLine = "";

  constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    private readonly order: AgentOrder,
    private readonly log: LogFile,
  ) {
    this.pid = child.pid ?? 0;
    this.channel = channelOf(order, {
      send: (line) => this.send(line),
      write: (text) => void child.stdin.write(text),
      event: (event) => this.happened(event),
      pausePoint: (goOn) => {
        this.pausePoints = this.pausePoints.then(() => this.pausePoint(goOn));
      },
    });
    // Nothing of what it prints is used with its token in it: not in the log, not in a question, not as evidence.
    this.read(child.stdout, (line) => this.heard(redact(line, order.secrets)));
    this.read(child.stderr, (line) => this.noted(redact(line, order.secrets)));
    child.stdin.on("error", () => undefined);
    this.watch = new TimeWatch({
      idleSeconds: order.idleSeconds,
      workSeconds: order.workSeconds,
      waits: () => this.asked.size > 0 || this.channel.resting,
      mayBeSilent: () => this.tools.size > 0,
      onOver: (why) => this.tooLong(why),
    });
    this.exited = new Promise((resolve) => child.once("exit", (code, signal) => resolve(this.leave(code, signal))));
    log.write(promptLine(order.prompt));
    this.channel.begin(order.prompt);
  }

  get listens(): boolean {
    return this.channel.listens;
  }

  get resting(): boolean {
    return this.channel.resting;
  }

  async answer(request: string, allow: boolean, note: string): Promise<void> {
    if (this.gone() || !this.channel.answer(request, allow, note)) throw this.notThere();
    this.asked.delete(request);
  }

  async tell(text: string): Promise<Delivery> {
    if (this.gone() || !this.channel.listens) throw this.notThere();
    this.end_ = null;
    if (!this.channel.tell(text)) throw this.notThere();
    this.log.write(promptLine(text));
    return "submitted";
  }

  async dismiss(): Promise<void> {
    this.dismissed = true;
    this.send(null);
    await Promise.race([this.exited, sleep(LEAVE_MS, undefined, { ref: false })]);
    await this.endAll();
  }

  /** One that can be asked to stop gets the time to say that it did: its conversation is then whole. */
  async end(): Promise<void> {
    if (!this.gone() && !this.channel.resting && this.channel.cancel()) await this.quiet();
    await this.endAll();
  }

  private quiet(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(done, GOODBYE_MS);
      this.whenQuiet = done;
      void this.exited.then(done);
    });
  }

  private async endAll(): Promise<void> {
    await endGroup(this.pid);
    await killMarked(this.order.run);
    await this.exited;
  }

  /** Ended by us, and said to have been: whatever it may still announce on its way out. */
  private tooLong(why: string): void {
    this.over = why;
    void this.end();
  }

  private gone(): boolean {
    const { exitCode, signalCode, stdin } = this.child;
    return exitCode !== null || signalCode !== null || !stdin.writable;
  }

  private notThere(): Failed {
    return new Failed({ kind: "agent.not-running", agent: this.order.env.BANKSMAN_AGENT as AgentId });
  }

  private send(line: string | null): void {
    if (!this.child.stdin.writable) return;
    if (line === null) this.child.stdin.end();
    else this.child.stdin.write(`${line}\n`);
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
    this.channel.hear(line);
  }

  private noted(line: string): void {
    this.log.write(printedLine(line));
    if (line.trim() !== "") this.lastLine = line;
    this.watch.sign();
    this.order.onSign();
  }

  private happened(event: AgentEvent): void {
    if (event.type === "permission") this.asked.add(event.request);
    if (event.type === "tool.start" && this.tools.size < MOST_TOOLS) this.tools.add(event.id);
    if (event.type === "tool.end") this.tools.delete(event.id);
    if (event.type === "end") {
      this.tools.clear();
      this.end_ = { how: event.how, message: event.message };
      this.asked.clear();
      this.whenQuiet();
    }
    // The end of a turn wakes somebody who decides what becomes of one that rests.
    const said = this.order.texts === true && (event.type === "text" || event.type === "tool.end");
    const weighty = isWeighty(event, this.retrying);
    this.retrying = event.type === "retry";
    if (said || weighty || (event.type === "end" && this.channel.resting)) this.order.onEvent(event);
  }

  /** It is never held up for longer than it takes to look, and never by our failing to. */
  private async pausePoint(goOn: (text: string | null) => void): Promise<void> {
    let given = false;
    const give = (text: string | null) => {
      if (!given) goOn(text);
      given = true;
    };
    try {
      await this.order.onPausePoint?.(give);
    } catch {
      // What could not be read or recorded now waits for the next pause point, or the end of the turn.
    }
    give(null);
  }

  /** The last lines first, then everything the agent left running, then the word that it is over. */
  private async leave(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    this.watch.stop();
    await endGroup(this.pid, 0);
    await killMarked(this.order.run);
    await Promise.race([drained(this.child), sleep(DRAIN_MS, undefined, { ref: false })]);
    // What still holds them has cleared its marker and left its group: it must not hold us as well.
    this.child.stdout.destroy();
    this.child.stderr.destroy();
    await this.log.close();
    const end = this.over === null ? this.end_ : { how: "timeout" as const, message: this.over };
    const lastLine = printable(this.lastLine).slice(0, 300);
    const { announces } = this.channel;
    const { dismissed } = this;
    this.order.onExit({ at: Date.now() as Instant, code, signal, end, announces, dismissed, lastLine });
  }
}

function channelOf({ speaks, cwd, conversation, conversationSince }: AgentOrder, wire: Wire): Channel {
  if (isLines(speaks)) return lineChannel(speaks.dialect, wire);
  return acpChannel({ ...speaks, cwd, conversation, since: conversationSince }, wire);
}

const isLines = (speaks: Speaks): speaks is Extract<Speaks, { dialect: unknown }> => "dialect" in speaks;

function drained(child: ChildProcessWithoutNullStreams): Promise<unknown> {
  const ended = (stream: NodeJS.ReadableStream & { readableEnded?: boolean }) =>
    stream.readableEnded ? Promise.resolve() : new Promise((done) => stream.once("close", done));
  return Promise.all([ended(child.stdout), ended(child.stderr)]);
}

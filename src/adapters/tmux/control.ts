import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { LineCutter } from "../../core/text/lines.ts";
import { type Layout, ReplyReader } from "./reply-reader.ts";

const LONGEST_LINE = 1024 * 1024;

/** A command tmux refused, in its own words. */
export class Refused extends Error {}

/** The session or its server has gone, or the line to it has. */
export class Lost extends Error {}

/** A window of the session has other panes, or another size. */
export interface LayoutNotice extends Layout {
  readonly session: string;
}

interface Waiting {
  readonly last: string;
  readonly lines: string[];
  refused: string | null;
  done(lines: string[]): void;
  fail(error: Error): void;
}

/**
 * One connection in control mode: commands go in line by line, and each command they lead to is answered between %begin
 * and %end. How many that are is not known beforehand, so every line is followed by a word that ends its answer, and that
 * nobody can guess. The connection is attached to a session and ends with it; whoever holds it opens another.
 *
 * Nothing is sent before tmux has answered the attaching itself: what comes earlier may be run before it (seen in tmux
 * 3.3a), and for a client that is not attached `save-buffer` says that it is done before the file is written.
 */
export class Control {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting: Waiting[] = [];
  private readonly replies = new ReplyReader();
  private readonly word = `banksman-${randomBytes(8).toString("hex")}`;
  /** Lines to be sent once the connection is attached; null from then on. */
  private early: string[] | null = [];
  private said = "";
  private count = 0;
  open = true;

  constructor(
    argv: readonly string[],
    env: NodeJS.ProcessEnv,
    private readonly onLayout: (layout: Layout) => void,
  ) {
    this.child = spawn(argv[0] as string, argv.slice(1), { env, stdio: "pipe" });
    const cutter = new LineCutter(LONGEST_LINE);
    this.child.stdout.setEncoding("utf8");
    this.child.stdout.on("data", (chunk: string) => {
      for (const line of cutter.push(chunk)) this.read(line);
    });
    this.child.stderr.on("data", (chunk: Buffer) => {
      this.said = `${this.said}${chunk}`.slice(-1_000);
    });
    this.child.stdin.on("error", () => undefined);
    this.child.on("error", (error) => this.lost(error.message));
    this.child.on("exit", () => this.lost(this.said.trim() || "the connection ended"));
  }

  /** Runs one command line, and gives what all its commands print. Rejects with `Refused`, or with the connection's loss. */
  run(line: string): Promise<string[]> {
    if (!this.open) return Promise.reject(new Lost("the connection ended"));
    const last = `${this.word}-${++this.count}`;
    return new Promise((done, fail) => {
      this.waiting.push({ last, lines: [], refused: null, done, fail });
      const lines = `${line}\ndisplay-message -p ${last}\n`;
      if (this.early === null) this.child.stdin.write(lines);
      else this.early.push(lines);
    });
  }

  close(): void {
    this.open = false;
    this.child.stdin.end();
    this.child.kill();
  }

  private read(line: string): void {
    const heard = this.replies.read(line);
    if (heard?.is === "exit") this.lost(heard.why.trim() || "the session ended");
    else if (heard?.is === "reply") this.take(heard.lines, heard.refused);
    else if (heard?.is === "other") this.attached();
    else if (heard?.is === "layout") this.onLayout(heard.layout);
  }

  /** The first block is the answer to the attaching; whoever attaches is nobody's command of ours. */
  private attached(): void {
    for (const lines of this.early ?? []) this.child.stdin.write(lines);
    this.early = null;
  }

  private take(block: readonly string[], refused: boolean): void {
    const asked = this.waiting[0];
    if (asked === undefined) return;
    if (refused) asked.refused ??= block.join(" ");
    else if (block.length !== 1 || block[0] !== asked.last) asked.lines.push(...block);
    else {
      this.waiting.shift();
      if (asked.refused === null) asked.done(asked.lines);
      else asked.fail(new Refused(asked.refused));
    }
  }

  private lost(why: string): void {
    this.open = false;
    for (const { fail } of this.waiting.splice(0)) fail(new Lost(why));
  }
}

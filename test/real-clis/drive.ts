import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createAgents } from "../../src/adapters/process/agents.ts";
import type { AgentEvent, Exit, Usage } from "../../src/core/clis/events.ts";
import { addUsage, NO_USAGE } from "../../src/core/clis/events.ts";
import type { Approval, ChannelName, HeadlessChannel } from "../../src/core/clis/kind.ts";
import { kindNamed } from "../../src/core/clis/kinds.ts";
import type { Instant, RunId } from "../../src/core/text/ids.ts";
import type { LiveAgent } from "../../src/ports/agent-cli.ts";
import { GIT_ENV, TempRepository } from "../git-repository.ts";
import { homeFor, MODEL } from "./homes.ts";
import { binFolder, type CliName } from "./pinned.ts";

const agents = createAgents({});

let grounds = 0;

/** What a user would have in the CLI's own settings, given as arguments here. */
export const ARGUMENTS: Partial<Record<CliName, readonly string[]>> = {
  pi: ["--provider", "fake", "--model", MODEL.others],
  gemini: ["-m", MODEL.gemini],
  qwen: ["--auth-type", "openai"],
};

export interface Running {
  readonly live: LiveAgent;
  readonly events: readonly AgentEvent[];
  /** Its exit, once there is one. */
  exit(): Exit | null;
  /** Waits until it is so, or it has ended. */
  until(so: () => boolean): Promise<void>;
  /** Lets it finish its turn, answering what it asks, and go. */
  finish(allow?: boolean): Promise<Finished>;
}

export interface Finished {
  readonly exit: Exit;
  readonly asked: readonly Extract<AgentEvent, { type: "permission" }>[];
  readonly session: string | null;
  readonly usage: Usage;
}

/** One CLI with a home, a repository and the scripted model, run by our own adapter over one of its channels. */
export class Ground {
  readonly repo = new TempRepository();
  private readonly folder: string;
  private readonly channel: HeadlessChannel;
  private runs = 0;
  private began: Instant | null = null;

  constructor(
    readonly cli: CliName,
    channel: ChannelName,
    private readonly modelUrl: string,
  ) {
    const found = kindNamed(cli)?.channels.find(({ name }) => name === channel);
    if (found === undefined) throw new Error(`${cli} has no channel ${channel}`);
    this.channel = found;
    this.marker = `bm-real-${process.pid}-${cli}-${channel}-${++grounds}-`;
    this.folder = mkdtempSync(join(tmpdir(), `bm-real-${cli}-`));
  }

  readonly marker: string;

  async run(
    prompt: string,
    { approval = "manual", conversation = null, ...limits }: RunOptions = {},
  ): Promise<Running> {
    const folder = join(this.folder, "agent");
    mkdirSync(folder, { recursive: true });
    const prepared = this.channel.prepare({
      approval,
      conversation,
      folder,
      hook: "true",
      git: [join(this.repo.root, ".git")],
      prompt,
    });
    for (const [name, text] of Object.entries(prepared.files ?? {})) writeFileSync(join(folder, name), text);
    const own =
      this.channel.program === undefined ? [this.cli, ...(ARGUMENTS[this.cli] ?? [])] : [this.channel.program];
    const folders = [this.cli, ...(this.channel.program === undefined ? [] : [this.channel.program])] as CliName[];
    const path = [...folders.map(binFolder), process.env.PATH ?? ""].join(delimiter);
    const events: AgentEvent[] = [];
    let exit: Exit | null = null;
    const live = await agents.launch({
      run: `${this.marker}-${++this.runs}-` as RunId,
      argv: [...own, ...prepared.args],
      speaks:
        "acp" in this.channel
          ? { acp: this.channel.acp, mode: this.channel.acp.mode[approval] }
          : { dialect: this.channel.dialect() },
      cwd: this.repo.root,
      env: {
        ...GIT_ENV,
        ...homeFor(this.cli, this.modelUrl, join(this.folder, "home")),
        PATH: path,
        ...prepared.env,
        BANKSMAN_AGENT: this.cli,
      },
      prompt,
      conversation,
      conversationSince: this.began,
      idleSeconds: limits.idleSeconds ?? 60,
      workSeconds: limits.workSeconds ?? 150,
      log: process.env.BANKSMAN_KEEP_LOGS
        ? `${process.env.BANKSMAN_KEEP_LOGS}/${this.marker}-${this.runs}.log`
        : join(this.folder, `log-${this.runs}`),
      secrets: [],
      onSign: () => undefined,
      onEvent: (event) => {
        events.push(event);
        if (event.type === "session" && conversation === null) this.began = Date.now() as Instant;
      },
      onExit: (ended) => {
        exit = ended;
      },
    });
    const until = async (so: () => boolean) => {
      while (!so() && exit === null) await sleep(20);
    };
    const finish = async (allow = true): Promise<Finished> => {
      const answered = new Set<string>();
      await until(() => {
        for (const event of events)
          if (event.type === "permission" && !answered.has(event.request)) {
            answered.add(event.request);
            void live.answer(event.request, allow, "").catch(() => undefined);
          }
        return live.resting;
      });
      if (live.resting) await live.dismiss();
      while (exit === null) await sleep(20);
      return {
        exit,
        asked: events.filter((event) => event.type === "permission"),
        session: events.findLast((event) => event.type === "session")?.id ?? null,
        usage: events.reduce((sum, event) => (event.type === "usage" ? addUsage(sum, event.usage) : sum), NO_USAGE),
      };
    };
    return { live, events, exit: () => exit, until, finish };
  }

  /** What carries the marker of a run that is over; it is ended, too. */
  leftovers(): Promise<number> {
    return agents.endLeftovers(this.marker);
  }

  /** Ends what is left, and tells how much that was. */
  async dispose(): Promise<number> {
    const left = await this.leftovers();
    this.repo.dispose();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    return left;
  }
}

export interface RunOptions {
  readonly approval?: Approval;
  readonly conversation?: string | null;
  readonly idleSeconds?: number;
  readonly workSeconds?: number;
}

import type { Dialect } from "../../src/core/clis/dialect.ts";
import type { AgentEvent, Exit } from "../../src/core/clis/events.ts";
import { isWeighty } from "../../src/core/clis/events.ts";
import { Failed } from "../../src/core/failure/failed.ts";
import type { Instant, RunId } from "../../src/core/text/ids.ts";
import type { AgentCli, AgentOrder, LiveAgent } from "../../src/ports/agent-cli.ts";

/** What a program of the fake does: it is given its end of the conversation. */
export type Behaviour = (stage: FakeStage) => void;

/** A process in memory. */
export class FakeStage {
  readonly answers: { request: string; allow: boolean; note: string }[] = [];
  readonly told: string[] = [];
  onAnswer: (request: string, allow: boolean) => void = () => {};
  onTold: (text: string) => void = () => {};
  gone = false;
  resting = false;
  dismissed = false;
  private retrying = false;
  private pausePoints: Promise<unknown> = Promise.resolve();
  private end: Extract<AgentEvent, { type: "end" }> | null = null;

  constructor(
    readonly order: AgentOrder,
    private readonly world: FakeAgents,
  ) {}

  /** The fake speaks no protocol; when it can be spoken to is its dialect's affair all the same. */
  get speech(): Pick<Dialect, "announces" | "listens"> {
    const { speaks } = this.order;
    return "dialect" in speaks ? speaks.dialect : { announces: true, listens: "between-turns" };
  }

  get listens(): boolean {
    return this.speech.listens === "always" || (this.speech.listens === "between-turns" && this.resting);
  }

  emit(event: AgentEvent): void {
    if (this.gone) return;
    this.order.onSign();
    if (event.type === "end") this.end = event;
    if (event.type === "end" && this.speech.listens === "between-turns") this.resting = true;
    if (isWeighty(event, this.retrying) || this.resting) this.order.onEvent(event);
    this.retrying = event.type === "retry";
  }

  /** Waits in the middle of its turn; resolves with what it was told there. */
  pausePoint(): Promise<string | null> {
    const mine = this.pausePoints.then(async () => {
      let told: string | null = null;
      await this.order.onPausePoint?.((text) => {
        told = text;
      });
      return told;
    });
    this.pausePoints = mine.catch(() => undefined);
    return mine.catch(() => null);
  }

  exit(code: number | null, signal: string | null = null): void {
    if (this.gone) return;
    this.gone = true;
    this.world.alive.delete(this.order.run);
    const { announces } = this.speech;
    const { dismissed } = this;
    const end = this.end === null ? null : { how: this.end.how, message: this.end.message };
    const exit: Exit = {
      at: 0 as Instant,
      code,
      signal,
      end: announces ? end : null,
      announces,
      dismissed,
      lastLine: "",
    };
    queueMicrotask(() => this.order.onExit(exit));
  }
}

/** Programs by name, processes by run. The world outlives the AgentCli, as leftovers outlive a supervisor. */
export class FakeAgents implements AgentCli {
  readonly programs = new Map<string, Behaviour>();
  readonly alive = new Map<RunId, FakeStage>();
  readonly launched: AgentOrder[] = [];
  private pids = 100;

  async find(program: string): Promise<string | null> {
    return this.programs.has(program) ? program : null;
  }

  async launch(order: AgentOrder): Promise<LiveAgent> {
    const [program = ""] = order.argv;
    const behave = this.programs.get(program);
    if (behave === undefined) throw new Failed({ kind: "cli.not-found", cli: program, command: program });
    const stage = new FakeStage(order, this);
    this.launched.push(order);
    this.alive.set(order.run, stage);
    setImmediate(() => behave(stage));
    const speak = async (work: () => void) => {
      if (stage.speech.listens === "never" || stage.gone)
        throw new Failed({ kind: "agent.not-running", agent: order.run });
      work();
    };
    return {
      pid: ++this.pids,
      get listens() {
        return stage.listens;
      },
      get resting() {
        return stage.resting;
      },
      at: null,
      outlives: false,
      pane: null,
      answer: (request, allow, note) =>
        speak(() => [stage.answers.push({ request, allow, note }), stage.onAnswer(request, allow)]),
      tell: async (text) => {
        if (!stage.listens) throw new Failed({ kind: "agent.not-running", agent: order.run });
        stage.resting = false;
        await speak(() => [stage.told.push(text), stage.onTold(text)]);
        return "submitted";
      },
      dismiss: async () => {
        stage.dismissed = true;
        stage.exit(null, "SIGTERM");
        await new Promise((resolve) => setImmediate(resolve));
      },
      end: async () => {
        stage.exit(null, "SIGTERM");
        await new Promise((resolve) => setImmediate(resolve));
      },
    };
  }

  async endLeftovers(prefix: string, spare: ReadonlySet<RunId> = new Set()): Promise<number> {
    const found = [...this.alive].filter(([run]) => run.startsWith(prefix) && !spare.has(run));
    for (const [, stage] of found) stage.exit(null, "SIGKILL");
    return found.length;
  }

  /** The supervisor was killed: its children die with it, and nobody hears of it. */
  killAll(): void {
    for (const stage of this.alive.values()) stage.gone = true;
    this.alive.clear();
  }
}

import type { AgentEvent, Exit } from "../../src/core/events.ts";
import { isWeighty } from "../../src/core/events.ts";
import { Failed } from "../../src/core/failure.ts";
import type { Instant, RunId } from "../../src/core/ids.ts";
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
  private end: Extract<AgentEvent, { type: "end" }> | null = null;

  constructor(
    readonly order: AgentOrder,
    private readonly world: FakeAgents,
  ) {}

  emit(event: AgentEvent): void {
    if (this.gone) return;
    this.order.onSign();
    if (event.type === "end") this.end = event;
    else if (isWeighty(event)) this.order.onEvent(event);
  }

  exit(code: number | null, signal: string | null = null): void {
    if (this.gone) return;
    this.gone = true;
    this.world.alive.delete(this.order.run);
    const announces = this.order.cli.protocol === "events";
    const end = this.end === null ? null : { how: this.end.how, message: this.end.message };
    const exit: Exit = { at: 0 as Instant, code, signal, end: announces ? end : null, announces, lastLine: "" };
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
    const [program = ""] = order.cli.argv;
    const behave = this.programs.get(program);
    if (behave === undefined) throw new Failed({ kind: "cli.not-found", cli: order.cli.name, command: program });
    const stage = new FakeStage(order, this);
    this.launched.push(order);
    this.alive.set(order.run, stage);
    setImmediate(() => behave(stage));
    const listens = order.cli.protocol === "events";
    const speak = async (work: () => void) => {
      if (!listens || stage.gone) throw new Failed({ kind: "agent.not-running", agent: order.run });
      work();
    };
    return {
      pid: ++this.pids,
      listens,
      outlives: false,
      pane: null,
      answer: (request, allow, note) =>
        speak(() => [stage.answers.push({ request, allow, note }), stage.onAnswer(request, allow)]),
      tell: async (text) => {
        await speak(() => [stage.told.push(text), stage.onTold(text)]);
        return "submitted";
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

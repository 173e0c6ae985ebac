import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createGit } from "../../src/adapters/git/git.ts";
import { createCommand } from "../../src/adapters/process/command.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { systemFiles } from "../../src/adapters/system/files.ts";
import { createParcelWatcher } from "../../src/adapters/watcher/parcel.ts";
import { agentLane } from "../../src/core/agents/reduce-assignment.ts";
import { assignmentsOf } from "../../src/core/session/read-session.ts";
import { type AgentId, OPERATOR } from "../../src/core/text/ids.ts";
import { sessionName } from "../../src/core/text/naming.ts";
import { type Supervisor, supervise } from "../../src/engine/supervise.ts";
import { sessionActions } from "../../src/modes/session/actions.ts";
import { sessionKinds } from "../../src/modes/session/kinds.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { FakeAgents } from "../fakes/fake-agents.ts";
import { FakeRepository } from "../fakes/fake-git.ts";
import { FakeHistory } from "../fakes/fake-history.ts";
import { FakePredictor } from "../fakes/fake-predictor.ts";
import { FakeSlots } from "../fakes/fake-slots.ts";
import { FakeDisk, FakeStore } from "../fakes/fake-store.ts";
import { FakeTarget } from "../fakes/fake-target.ts";
import { FakeTmux } from "../fakes/fake-tmux.ts";
import { FakeTokens } from "../fakes/fake-tokens.ts";
import { GIT_ENV, TempRepository } from "../git-repository.ts";
import { SimulatedWorld } from "../simulation/world.ts";
import { wholeLog } from "../whole-log.ts";

/** Reconciling every half minute would put right, and hide, what hints have missed: here it never comes. */
const patientClock: Clock = {
  now: systemClock.now,
  after: (ms, wake) => (ms >= 30_000 ? () => {} : systemClock.after(ms, wake)),
};

/** The engine with a real repository and the system's own watches; agents are in memory, and do nothing. */
export class WatchedGround {
  readonly repo: TempRepository;
  private readonly disk = new FakeDisk();
  private readonly agents = new FakeAgents();
  private supervisor: Supervisor | null = null;

  constructor(files: Readonly<Record<string, string>>) {
    this.repo = new TempRepository(files);
    mkdirSync(join(this.repo.folder, "state"));
    this.agents.programs.set("worker", (stage) => stage.emit({ type: "session", id: "talks" }));
  }

  get excludes(): string {
    return join(this.repo.folder, "state/excludes");
  }

  async open(): Promise<void> {
    const { root, folder } = this.repo;
    const repository = join(root, ".git");
    const command = createCommand("bm-watched.command");
    this.supervisor = await supervise({
      kinds: sessionKinds,
      gates: () => Promise.reject(new Error("nothing is verified here")),
      review: async () => ({ person: true }),
      land: () => Promise.reject(new Error("nothing lands here")),
      jobs: 1,
      ports: {
        store: new FakeStore(this.disk),
        git: createGit(command, { root, commonDir: repository, project: "app" }, GIT_ENV, this.excludes),
        predictor: new FakePredictor(new FakeRepository({})),
        history: new FakeHistory(new FakeRepository({})),
        slots: new FakeSlots(new FakeRepository({})),
        target: new FakeTarget(new FakeRepository({})),
        watcher: createParcelWatcher(),
        files: systemFiles,
        command,
        agents: this.agents,
        tmux: new FakeTmux(),
        clock: patientClock,
        tokens: new FakeTokens(),
      },
      place: {
        root,
        project: "app",
        repository,
        state: join(folder, "state"),
        session: sessionName("app", repository),
        excludes: this.excludes,
        shims: join(folder, "state/bin"),
        hooks: join(folder, "state/hooks"),
        url: () => "http://127.0.0.1:1",
        program: ["banksman"],
        tools: [],
        env: { PATH: GIT_ENV.PATH },
      },
      settings: async () => new SimulatedWorld().settings,
      onError: (_, error) => {
        throw error;
      },
    });
    await this.supervisor.reconcile(true);
  }

  /** Begins agents, and resolves once they are there. */
  async start(...branches: string[]): Promise<void> {
    const { context } = this.opened;
    const briefs = { all: null, each: {}, folder: null };
    const order = { type: "start", branches, cli: null, briefs, clis: {}, owned: {} } as const;
    const by = { role: "operator", agent: OPERATOR } as const;
    await sessionActions(context, () => undefined).start(
      { ...order, rebase: false, arrangement: null, supervisor: null, again: false, dryRun: false },
      by,
    );
    await context.journal.until(() => assignmentsOf(context.journal).every(({ live }) => live !== null));
  }

  close = async (): Promise<void> => {
    await this.supervisor?.close();
    this.supervisor = null;
  };

  async dispose(): Promise<void> {
    await this.close();
    this.repo.dispose();
  }

  worktree = (agent: string): string => join(this.repo.root, ".banksman/worktrees", agent);

  files = (agent: string): readonly string[] => this.opened.context.journal.entry(agent as AgentId)?.files ?? [];

  /** The last commit that was told. */
  head = (agent: string): string | undefined => {
    const assignment = this.opened.context.journal.state(agentLane(agent as AgentId));
    return assignment?.head ?? assignment?.from ?? undefined;
  };

  /** What was told of commits of an agent, from its beginning. */
  async artifacts(agent: string): Promise<(readonly string[])[]> {
    const log = await wholeLog(this.opened.context.store);
    return log.flatMap(({ message }) =>
      message.type === "agent.artifact" && message.agent_id === agent ? [message.payload.modified_files] : [],
    );
  }

  private get opened(): Supervisor {
    if (this.supervisor === null) throw new Error("not open");
    return this.supervisor;
  }
}

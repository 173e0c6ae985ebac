import type { Action } from "../../src/core/actions/actions.ts";
import { NO_REVIEW } from "../../src/core/gates/gate-plan.ts";
import type { GateSettings } from "../../src/core/gates/gate-settings.ts";
import type { LandSettings } from "../../src/core/landing/land-settings.ts";
import type { Identity } from "../../src/core/messages/roles.ts";
import { assignmentsOf } from "../../src/core/session/read-session.ts";
import type { SessionSettings } from "../../src/core/session/settings.ts";
import { OPERATOR } from "../../src/core/text/ids.ts";
import { sessionName } from "../../src/core/text/naming.ts";
import type { Perform } from "../../src/engine/loop/tick-lane.ts";
import { type Registration, type Supervisor, supervise } from "../../src/engine/supervise.ts";
import { landingKinds } from "../../src/modes/landing/kinds.ts";
import { sessionActions } from "../../src/modes/session/actions.ts";
import { sessionKinds } from "../../src/modes/session/kinds.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { FakeAgents, type FakeStage } from "../fakes/fake-agents.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { FakeCommand } from "../fakes/fake-command.ts";
import { FakeFiles } from "../fakes/fake-files.ts";
import { FakeGit, FakeRepository } from "../fakes/fake-git.ts";
import { FakeHistory } from "../fakes/fake-history.ts";
import { FakePredictor } from "../fakes/fake-predictor.ts";
import { FakeSlots } from "../fakes/fake-slots.ts";
import { FakeDisk, FakeStore } from "../fakes/fake-store.ts";
import { FakeTarget } from "../fakes/fake-target.ts";
import { FakeTmux } from "../fakes/fake-tmux.ts";
import { FakeTokens } from "../fakes/fake-tokens.ts";
import { FakeWatcher } from "../fakes/fake-watcher.ts";

/** A machine with one repository on it. Supervisors come and go; disk, repository and agents' programs stay. */
export class SimulatedWorld {
  readonly disk = new FakeDisk();
  readonly repository = new FakeRepository({ README: "hi\n" });
  readonly files = new FakeFiles();
  readonly agents = new FakeAgents();
  readonly clock = new FakeClock();
  readonly command = new FakeCommand();
  readonly tokens = new FakeTokens();
  readonly tmux = new FakeTmux();
  readonly watcher = new FakeWatcher();
  readonly slots = new FakeSlots(this.repository);
  readonly target = new FakeTarget(this.repository);
  readonly performed: string[] = [];
  settings: SessionSettings = {
    defaultCli: "worker",
    clis: new Map([
      ["worker", { name: "worker", source: "custom", argv: ["worker"], protocol: "events", env: [], resumeArgs: [] }],
    ]),
    placement: "child",
    setUp: { copy: [], symlink: [], command: null, timeoutSeconds: 1 },
    rebase: false,
    portBase: null,
    rate: { perSecond: 20, burst: 100 },
    republishSeconds: 60,
    retention: { messages: 1_000_000, days: 90 },
    look: { mouse: true, borders: true },
    broker: true,
    constitution: null,
    issuePrefix: "issue/",
    conflict: { windowSeconds: 120, warnOnIntentOverlap: true, escalateOnViolation: true },
    supervisor: { enabled: null, cli: null, nudge: true, may: [] },
    defaultSpecCli: null,
    presets: new Map(),
    skills: "/skills",
    specs: { type: null, dir: null, prefix: "spec/" },
    verify: true,
    land: { mode: "manual", strategy: "train", target: null },
    commands: {},
    learnings: false,
    ignored: [],
  };
  gates: GateSettings = {
    plan: {
      commands: [],
      none: false,
      timeoutSeconds: 60,
      env: [],
      exclusive: [],
      inputs: ["package.json"],
      paths: {},
      review: NO_REVIEW,
      setUp: null,
    },
    untrusted: [],
    jobs: null,
    retry: 1,
    onCommit: true,
    combinations: false,
    from: ".banksman/config.toml of main",
    notes: [],
  };
  land: LandSettings = { mode: "manual", strategy: "train", target: null, batch: 16, push: false, retry: 1 };
  /** Kinds of lanes besides the session's. */
  more: Registration = () => [];
  supervisor: Supervisor | null = null;
  private actions: Record<string, (action: Action, by: Identity) => Promise<unknown>> = {};
  private life = { over: false };

  constructor() {
    this.agents.programs.set("worker", (stage) => this.work(stage));
  }

  /** What an agent does: say who it is, commit one file, be done. Done again, it finds its work there. */
  work(stage: FakeStage): void {
    stage.emit({ type: "session", id: `conversation of ${stage.order.env.BANKSMAN_AGENT}` });
    const { cwd } = stage.order;
    const worktree = this.repository.worktrees.get(cwd);
    if (worktree?.files === null || worktree === undefined) return stage.exit(9);
    worktree.files.work = `by ${stage.order.env.BANKSMAN_AGENT}`;
    const tip = this.repository.heads.get(worktree.branch);
    if (tip !== undefined && this.repository.tree(tip).work === undefined) {
      this.repository.heads.set(worktree.branch, this.repository.commit(worktree.files, [tip]));
    }
    stage.emit({ type: "end", how: "ok", message: "done" });
    stage.exit(0);
  }

  async open(around?: (perform: Perform) => Perform): Promise<Supervisor> {
    const life = { over: false };
    this.life = life;
    const ports = {
      store: new FakeStore(this.disk),
      git: new FakeGit(this.repository),
      predictor: new FakePredictor(this.repository),
      history: new FakeHistory(this.repository),
      slots: this.slots,
      target: this.target,
      watcher: this.watcher,
      files: this.files,
      command: this.command,
      agents: this.agents,
      tmux: this.tmux,
      clock: this.clock,
      tokens: this.tokens,
    };
    const counted =
      (perform: Perform): Perform =>
      async (effect, id) => {
        this.performed.push(effect.type);
        return perform(effect, id);
      };
    this.supervisor = await supervise({
      ports: mortal(ports, life),
      place: {
        root: "/repo",
        project: "repo",
        repository: "/repo/.git",
        state: "/state",
        session: sessionName("repo", "/repo/.git"),
        excludes: "/state/excludes",
        shims: "/state/bin",
        hooks: "/state/hooks",
        url: () => "http://127.0.0.1:1",
        program: ["banksman"],
        tools: [],
        env: { PATH: "/bin" },
      },
      kinds: (context, ticking) => [
        ...sessionKinds(context, ticking),
        ...landingKinds(context, ticking),
        ...this.more(context, ticking),
      ],
      settings: async () => this.settings,
      gates: async () => this.gates,
      land: async () => this.land,
      review: async () => ({ person: true }),
      jobs: 1,
      onError: (_, error) => {
        throw error;
      },
      around: (perform) => (around === undefined ? counted(perform) : around(counted(perform))),
    });
    this.actions = sessionActions(this.supervisor.context, () => undefined) as unknown as typeof this.actions;
    return this.supervisor;
  }

  act(action: Action): Promise<unknown> {
    return (
      this.actions[action.type]?.(action, { role: "operator", agent: OPERATOR }) ??
      Promise.reject(new Error("no such action"))
    );
  }

  start = (...branches: string[]) =>
    this.act({
      type: "start",
      branches,
      cli: null,
      briefs: { all: null, each: {}, folder: null },
      clis: {},
      owned: {},
      rebase: false,
      arrangement: null,
      supervisor: null,
      again: false,
      dryRun: false,
    });

  /** kill -9: the process is gone between two turns of its event loop, and its children with it. */
  kill(): void {
    this.life.over = true;
    this.agents.killAll();
    this.supervisor = null;
  }

  /** Resolves when every agent of that supervisor has come to an end; never, if it is killed before. */
  async ended(supervisor = this.supervisor): Promise<void> {
    if (supervisor === null) throw new Error("no supervisor");
    const { journal } = supervisor.context;
    const over = () =>
      assignmentsOf(journal).every(({ ended, live, unchecked }) => ended !== null && live === null && !unchecked);
    await journal.until(() => over() && journal.unsettled.size === 0);
  }
}

/** The ports of one supervisor's life: once it is over, whatever it still calls does nothing and never answers. */
function mortal(ports: Ports, life: { readonly over: boolean }): Ports {
  const never = new Promise<never>(() => {});
  const wrap = (port: object) =>
    new Proxy(port, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== "function") return value;
        return (...args: unknown[]) =>
          life.over ? never : (value as (...args: unknown[]) => unknown).apply(target, args);
      },
    });
  const { clock, tokens, ...others } = ports;
  const wrapped = Object.fromEntries(Object.entries(others).map(([name, port]) => [name, wrap(port)]));
  return { clock, tokens, ...wrapped } as unknown as Ports;
}

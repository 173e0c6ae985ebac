import type { Command } from "./command.ts";

type Load = () => Promise<{ command: Command }>;

/** Every command, by group and name, loaded only when it is used. The order is that of `--help` and of the reference. */
export const GROUPS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  Daily: {
    start: () => import("./commands/start.ts"),
    status: () => import("./commands/status.ts"),
    attach: () => import("./commands/attach.ts"),
    verify: () => import("./commands/verify.ts"),
    land: () => import("./commands/land.ts"),
    stop: () => import("./commands/stop.ts"),
    add: () => import("./commands/add.ts"),
    remove: () => import("./commands/remove.ts"),
    pause: () => import("./commands/pause.ts"),
    resume: () => import("./commands/resume.ts"),
    purge: () => import("./commands/purge.ts"),
    restore: () => import("./commands/restore.ts"),
    epic: () => import("./commands/epic.ts"),
  },
  Talking: {
    tell: () => import("./commands/tell.ts"),
    answer: () => import("./commands/answer.ts"),
    questions: () => import("./commands/questions.ts"),
    console: () => import("./commands/console.ts"),
    inbox: () => import("./commands/inbox.ts"),
    retract: () => import("./commands/retract.ts"),
  },
  Looking: {
    watch: () => import("./commands/watch.ts"),
    agents: () => import("./commands/agents.ts"),
    conflicts: () => import("./commands/conflicts.ts"),
    diff: () => import("./commands/diff.ts"),
    cd: () => import("./commands/cd.ts"),
    peek: () => import("./commands/peek.ts"),
    replay: () => import("./commands/replay.ts"),
    log: () => import("./commands/log.ts"),
  },
  "Set-up": {
    init: () => import("./commands/init.ts"),
    clis: () => import("./commands/clis.ts"),
    trust: () => import("./commands/trust.ts"),
    doctor: () => import("./commands/doctor.ts"),
    selftest: () => import("./commands/selftest.ts"),
    demo: () => import("./commands/demo.ts"),
  },
  "For agents and programs": {
    say: () => import("./commands/say.ts"),
    mcp: () => import("./commands/mcp.ts"),
    explain: () => import("./commands/explain.ts"),
    serve: () => import("./commands/serve.ts"),
    "queue-drain": () => import("./commands/queue-drain.ts"),
    "stale-check": () => import("./commands/stale-check.ts"),
    "pr-merged": () => import("./commands/pr-merged.ts"),
  },
};

export const COMMANDS: Readonly<Record<string, Load>> = Object.assign({}, ...Object.values(GROUPS));

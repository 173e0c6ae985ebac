import type { NewAssignment } from "../agents/assignment.ts";
import type { Cli } from "../clis/cli.ts";
import { type Branch, SUPERVISOR } from "../text/ids.ts";

export interface SupervisorPlan {
  readonly session: string;
  readonly root: string;
  readonly base: Branch;
  readonly cli: Cli;
  readonly brief: string;
}

/**
 * The model in pane 0 as a run: launched, briefed, told and brought back as agents are. It has no worktree of its own:
 * it stands in the person's checkout, where nothing is set up, saved or removed on its account.
 */
export function planSupervisor({ session, root, base, cli, brief }: SupervisorPlan): NewAssignment {
  return {
    agent: SUPERVISOR,
    position: -1,
    branch: base,
    cli,
    session,
    worktree: root,
    from: null,
    ours: { branch: false, worktree: false },
    setUp: { copy: [], symlink: [], command: null, timeoutSeconds: 1, rebase: null },
    brief,
    terminal: true,
    port: null,
    log: `${root}/.banksman/logs/${session}/${SUPERVISOR}.log`,
    ready: true,
  };
}

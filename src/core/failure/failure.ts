import type { AgentId, Branch } from "../text/ids.ts";

/**
 * Everything that can go wrong and is not our bug: a closed union of facts. The sentence is made at the edge, by
 * `explain`, and always says what to do next.
 */
export type Failure =
  | { readonly kind: "repository.none"; readonly path: string }
  | { readonly kind: "repository.missing"; readonly path: string }
  | { readonly kind: "repository.path"; readonly path: string }
  | { readonly kind: "repository.bare"; readonly path: string }
  | { readonly kind: "repository.unborn" }
  | { readonly kind: "repository.detached" }
  | { readonly kind: "repository.unsafe"; readonly path: string }
  | { readonly kind: "repository.filters"; readonly keys: readonly string[] }
  | { readonly kind: "git.missing" }
  | { readonly kind: "git.old"; readonly version: string; readonly needed: string }
  | { readonly kind: "git.blocked"; readonly path: string }
  | { readonly kind: "git.failed"; readonly command: string; readonly detail: string }
  | { readonly kind: "ref.unknown"; readonly ref: string }
  | { readonly kind: "branch.none" }
  | { readonly kind: "branch.invalid"; readonly branch: string; readonly why: string }
  | { readonly kind: "branch.checked-out"; readonly branch: string; readonly path: string }
  | { readonly kind: "branch.clash"; readonly branch: string; readonly other: string }
  | { readonly kind: "branch.in-session"; readonly branch: string; readonly agent: AgentId }
  | { readonly kind: "branch.moved"; readonly branch: string }
  | { readonly kind: "worktree.occupied"; readonly path: string }
  | { readonly kind: "worktree.unsaved"; readonly agent: AgentId; readonly files: number; readonly commits: number }
  | {
      readonly kind: "worktree.stays";
      readonly path: string;
      readonly why: "no-folder" | "own-repository" | "unreadable" | "repositories" | "history";
      readonly what: readonly string[];
    }
  | { readonly kind: "worktree.strange"; readonly path: string; readonly dotGit: string }
  | { readonly kind: "worktree.gone"; readonly path: string }
  | { readonly kind: "worktree.damaged"; readonly path: string; readonly what: string }
  | { readonly kind: "worktree.undeletable"; readonly path: string; readonly detail: string }
  | { readonly kind: "worktree.foreign"; readonly path: string }
  | { readonly kind: "worktree.taken"; readonly path: string; readonly by: AgentId | null }
  | { readonly kind: "worktree.in-use"; readonly path: string }
  | { readonly kind: "worktree.changed"; readonly path: string }
  | { readonly kind: "watch.refused"; readonly folder: string; readonly detail: string }
  | { readonly kind: "disk.full"; readonly path: string }
  | { readonly kind: "disk.no-temp"; readonly path: string; readonly detail: string }
  | { readonly kind: "file.failed"; readonly path: string; readonly detail: string }
  | { readonly kind: "path.refused"; readonly path: string; readonly why: string }
  | { readonly kind: "cli.none" }
  | {
      readonly kind: "cli.unknown";
      readonly cli: string;
      readonly known: readonly string[];
      readonly near: string | null;
    }
  | { readonly kind: "cli.unsupported"; readonly cli: string }
  | { readonly kind: "cli.no-screen"; readonly cli: string }
  | { readonly kind: "cli.untrusted"; readonly cli: string }
  | { readonly kind: "cli.not-found"; readonly cli: string; readonly command: string }
  | { readonly kind: "cli.ended-at-once"; readonly cli: string; readonly how: string; readonly log: string }
  | { readonly kind: "skill.problem"; readonly from: string; readonly why: string }
  | { readonly kind: "spec.none"; readonly looked: readonly string[] }
  | { readonly kind: "spec.several"; readonly found: readonly string[] }
  | { readonly kind: "spec.empty"; readonly type: string; readonly folder: string }
  | { readonly kind: "spec.ambiguous"; readonly name: string; readonly candidates: readonly string[] }
  | {
      readonly kind: "spec.unknown";
      readonly name: string;
      readonly known: readonly string[];
      readonly near: string | null;
    }
  | { readonly kind: "spec.left-out"; readonly name: string; readonly why: string }
  | { readonly kind: "forge.missing"; readonly program: string }
  | { readonly kind: "forge.login" }
  | { readonly kind: "forge.no-repository" }
  | { readonly kind: "forge.failed"; readonly detail: string }
  | { readonly kind: "issue.unknown"; readonly number: number; readonly is: "pull request" | null }
  | { readonly kind: "issue.closed"; readonly number: number; readonly title: string }
  | { readonly kind: "epic.unknown"; readonly epic: string; readonly looked: string; readonly near: string | null }
  | { readonly kind: "epic.exists"; readonly path: string }
  | { readonly kind: "epic.corrupt"; readonly path: string; readonly why: string }
  | { readonly kind: "epic.moved"; readonly path: string }
  | { readonly kind: "tmux.missing" }
  | { readonly kind: "tmux.old"; readonly version: string; readonly needed: string }
  | { readonly kind: "tmux.namesake"; readonly session: string }
  | { readonly kind: "tmux.failed"; readonly detail: string }
  | { readonly kind: "config.problems"; readonly problems: readonly ConfigProblem[] }
  | { readonly kind: "session.none" }
  | { readonly kind: "session.not-running" }
  | { readonly kind: "session.other-branches"; readonly extra: readonly string[]; readonly present: readonly string[] }
  | { readonly kind: "session.no-panes" }
  | { readonly kind: "session.no-logs"; readonly session: string; readonly known: readonly string[] }
  | {
      readonly kind: "agent.unknown";
      readonly agent: string;
      readonly known: readonly string[];
      readonly near: string | null;
    }
  | { readonly kind: "brief.missing"; readonly agent: AgentId; readonly folder: string }
  | { readonly kind: "agent.not-running"; readonly agent: string }
  | { readonly kind: "agent.no-log"; readonly agent: string }
  | {
      readonly kind: "claim.none";
      readonly agent: string;
      readonly paths: readonly string[];
      readonly claimed: readonly string[];
    }
  | { readonly kind: "question.unknown"; readonly id: string; readonly open: readonly string[] }
  | {
      readonly kind: "question.over";
      readonly id: string;
      /** Null where nobody asks it any more. */
      readonly answer: string | null;
    }
  | { readonly kind: "question.allow-or-deny"; readonly id: string }
  | { readonly kind: "question.options"; readonly id: string; readonly options: readonly string[] }
  | { readonly kind: "question.not-for-session"; readonly id: string }
  | { readonly kind: "question.persons"; readonly id: string }
  | { readonly kind: "gates.none"; readonly from: string }
  | { readonly kind: "gates.untrusted"; readonly keys: readonly string[] }
  | { readonly kind: "gates.submodule"; readonly path: string; readonly commit: string }
  | { readonly kind: "land.too-many"; readonly commits: number; readonly most: number }
  | { readonly kind: "land.unrelated" }
  | { readonly kind: "land.collision"; readonly paths: readonly string[] }
  | { readonly kind: "land.no-target" }
  | { readonly kind: "land.nothing" }
  | { readonly kind: "land.busy"; readonly target: string; readonly asked: string }
  | { readonly kind: "land.pr" }
  | { readonly kind: "land.diverged"; readonly target: string; readonly upstream: string }
  | { readonly kind: "land.unreachable"; readonly upstream: string; readonly detail: string }
  | { readonly kind: "land.not-landed"; readonly branch: string }
  | { readonly kind: "land.undo-conflict"; readonly branch: string; readonly files: readonly string[] }
  | { readonly kind: "backup.unknown"; readonly ref: string; readonly near: string | null }
  | { readonly kind: "backup.unreadable"; readonly ref: string }
  | { readonly kind: "backup.half-restored"; readonly path: string; readonly file: string }
  | { readonly kind: "backup.branch-moved"; readonly branch: Branch; readonly ref: string }
  | {
      readonly kind: "supervisor.other";
      readonly pid: number | null;
      readonly url: string | null;
      /** Its state folder, where that is not ours. */
      readonly state: string | null;
    }
  | { readonly kind: "supervisor.elsewhere"; readonly state: string }
  | { readonly kind: "supervisor.silent"; readonly pid: number | null }
  | { readonly kind: "supervisor.start-failed"; readonly detail: string; readonly log: string }
  | { readonly kind: "supervisor.protocol"; readonly theirs: number; readonly ours: number }
  | { readonly kind: "supervisor.none" }
  | { readonly kind: "journal.newer"; readonly found: number; readonly known: number; readonly path: string }
  | { readonly kind: "journal.older"; readonly path: string }
  | { readonly kind: "journal.empty"; readonly path: string }
  | { readonly kind: "journal.unreadable"; readonly path: string; readonly detail: string }
  | { readonly kind: "log.gone"; readonly since: number; readonly kept: number }
  | { readonly kind: "store.full" }
  | { readonly kind: "store.moved" }
  | { readonly kind: "store.broken"; readonly detail: string }
  | { readonly kind: "request.refused"; readonly status: number; readonly message: string }
  | { readonly kind: "told"; readonly told: string; readonly message: string; readonly hint: string }
  | { readonly kind: "usage"; readonly message: string; readonly hint: string }
  | { readonly kind: "needs-confirmation"; readonly what: string; readonly flag: string }
  | { readonly kind: "several"; readonly failures: readonly Failure[] }
  | { readonly kind: "cancelled" }
  | { readonly kind: "internal"; readonly detail: string };

/** One thing wrong in a configuration file. `line` is 1-based, null where the file as a whole is meant. */
export interface ConfigProblem {
  readonly file: string;
  readonly line: number | null;
  readonly key: string | null;
  readonly message: string;
}

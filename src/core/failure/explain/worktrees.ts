import { counted } from "../../text/counted.ts";
import type { Failure } from "../failure.ts";
import { type Explainers, type Explanation, oneLine, quote, say } from "./words.ts";

export const WORKTREES: Explainers<"worktree" | "backup" | "disk" | "file" | "path"> = {
  "worktree.occupied": (failure) =>
    say(`${failure.path} exists and is not a worktree of this repository.`, "Move it away, then start again."),
  "worktree.unsaved": (failure) =>
    say(
      `${failure.agent} has ${unsaved(failure.files, failure.commits)}.`,
      "Commit and merge it, or use `--force`: it is saved under refs/banksman/backup/ first, and `banksman restore` brings it back.",
    ),
  "worktree.stays": ({ path, why, what }) => STAYS[why](path, named(what)),
  "worktree.strange": ({ path, dotGit }) =>
    say(
      `${path} is no worktree of this repository any more: its \`.git\` ${DOT_GIT[dotGit] ?? "is not ours"}.`,
      `Move what you need out of that folder and delete it, then \`banksman start\` makes it again. ${OR_KEEP}`,
    ),
  "worktree.gone": ({ path }) =>
    say(`${path} was deleted.`, "Stop the agent, then `banksman start` makes the worktree again from its branch."),
  "worktree.damaged": ({ path, what }) =>
    say(`${path} is damaged: ${oneLine(what)}.`, `Look at it with git, and mend it or copy what you need. ${OR_KEEP}`),
  "worktree.undeletable": ({ path, detail }) =>
    say(
      `${path} could not be deleted completely: ${oneLine(detail)}`,
      "What it held is saved. Make these files deletable (permissions, mounts, `chattr -i`), then run the command again.",
    ),
  "worktree.changed": (failure) =>
    say(
      `${failure.path} was changed after it had been saved, so it was not removed.`,
      "Both versions are safe. Run the command again.",
    ),
  "worktree.in-use": (failure) =>
    say(`${failure.path} already exists.`, "Move it away, or restore into another branch."),
  "worktree.foreign": (failure) =>
    say(
      `${failure.path} is not a worktree of this repository.`,
      "Name one of those that `git worktree list` shows, by its full path.",
    ),
  "worktree.taken": (failure) =>
    say(
      failure.by === null
        ? `${failure.path} is the main checkout, and no agent's own.`
        : `${failure.path} is the worktree of ${failure.by}.`,
      "Register the worktree that you work in.",
    ),
  "disk.full": (failure) =>
    say(
      `The disk of ${failure.path} is full.`,
      "Free some space, then run the same command again: it continues where it stopped.",
    ),
  "disk.no-temp": (failure) =>
    say(
      `No temporary folder can be made in ${failure.path}: ${oneLine(failure.detail)}`,
      "Make that folder, or set TMPDIR to one that exists and that you may write to.",
    ),
  "file.failed": (failure) =>
    say(
      `${failure.path} could not be used: ${oneLine(failure.detail)}`,
      "Check that the path exists and that you may write there.",
    ),
  "path.refused": (failure) =>
    say(
      `${quote(failure.path)} is not read: ${failure.why}.`,
      "banksman reads regular files that lie inside the repository, and no others.",
    ),
  "backup.unknown": (failure) =>
    say(
      `There is no backup ${quote(failure.ref)}.`,
      failure.near ? `Did you mean ${failure.near}?` : "`banksman restore list` shows them.",
    ),
  "backup.unreadable": ({ ref }) =>
    say(
      `The backup ${quote(ref)} is there, and cannot be read.`,
      "`git fsck` says what is missing. The other backups are not touched by that.",
    ),
  "backup.half-restored": ({ path, file }) =>
    say(
      `${path} is half restored, and ${quote(file)} in it was changed since.`,
      "Move that file away, then run the same command again: it goes on where it stopped.",
    ),
  "backup.branch-moved": (failure) =>
    say(
      `${quote(failure.branch)} exists and points elsewhere.`,
      `Restore beside it: \`banksman restore ${failure.ref} --branch <new-name>\`.`,
    ),
};

const OR_KEEP = "To let go of the agent and keep the folder: `banksman remove <agent> --keep-worktree`.";

const STAYS: Readonly<
  Record<Extract<Failure, { kind: "worktree.stays" }>["why"], (path: string, what: string) => Explanation>
> = {
  "no-folder": (path) => say(`${path} is not a folder any more.`, `Look what stands there, and move it. ${OR_KEEP}`),
  "own-repository": (path) =>
    say(
      `${path} is a repository of its own (its \`.git\` is a folder), and a backup cannot hold that.`,
      `Push or copy its commits and delete the folder, then try again. ${OR_KEEP}`,
    ),
  unreadable: (path, what) =>
    say(
      `What ${path} holds could not be read: ${what}.`,
      `Make it readable for you, or move it, then try again. ${OR_KEEP}`,
    ),
  repositories: (path, what) =>
    say(
      `${path} has repositories inside with work of their own, which a backup cannot hold: ${what}.`,
      `Push or copy that work and delete these folders, then try again. ${OR_KEEP}`,
    ),
  history: (path) =>
    say(
      `The commits of ${path} could not be read, so they cannot be saved.`,
      `\`git fsck\` says what is missing. ${OR_KEEP}`,
    ),
};

const DOT_GIT: Readonly<Record<string, string>> = {
  absent: "is missing",
  empty: "is empty",
  elsewhere: "leads to another repository",
  "other-file": "is a file that git does not know",
  special: "is a pipe, a link or another special file",
  folder: "is a folder, a repository of its own",
  unreadable: "cannot be read",
};

const NAMED = 5;

/** Some of them by name: there may be thousands. */
function named(paths: readonly string[]): string {
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : "";
  return `${paths.slice(0, NAMED).map(quote).join(", ")}${more}`;
}

function unsaved(files: number, commits: number): string {
  const parts = [];
  if (files > 0) parts.push(counted(files, "uncommitted file"));
  if (commits > 0) parts.push(counted(commits, "unmerged commit"));
  return parts.join(" and ");
}

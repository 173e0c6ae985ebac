import type { ConfigProblem, Failure } from "./failure.ts";
import { printable } from "./printable.ts";

export interface Explanation {
  readonly message: string;
  readonly hint: string;
}

/** What happened, and what to do: two sentences, for people and for programs. */
export function explain(failure: Failure): Explanation {
  switch (failure.kind) {
    case "repository.none":
      return say(
        `${failure.path} is not inside a git repository.`,
        "Go to your project's folder, or run `git init` there.",
      );
    case "repository.bare":
      return say(
        `${failure.path} is a bare repository; agents need a checkout beside it.`,
        "Clone it, and run banksman in the clone.",
      );
    case "repository.unborn":
      return say(
        "This repository has no commit yet, so there is nothing to branch from.",
        "Make a first commit: `git commit --allow-empty -m start`.",
      );
    case "repository.detached":
      return say(
        "HEAD is detached, so it is not clear which branch the agents should start from.",
        "Check one out first: `git switch <branch>`.",
      );
    case "repository.unsafe":
      return say(
        `git refuses ${failure.path} because another user owns it.`,
        `If you trust it: \`git config --global --add safe.directory ${failure.path}\`.`,
      );
    case "git.missing":
      return say("git is not installed, or not on PATH.", "Install git 2.38 or newer.");
    case "git.old":
      return say(`git ${failure.version} is too old.`, `Install git ${failure.needed} or newer.`);
    case "git.failed":
      return say(
        `\`git ${failure.command}\` failed: ${oneLine(failure.detail)}`,
        "Run it by hand to see more; nothing of yours was removed.",
      );
    case "ref.unknown":
      return say(
        `${quote(failure.ref)} is no branch, tag or commit here.`,
        "`git branch --all` and `git tag` list what there is.",
      );
    case "branch.none":
      return say("No branch was named.", "Name them: `banksman start --branches feat/a,feat/b`.");
    case "branch.invalid":
      return say(
        `${quote(failure.branch)} cannot be a branch name: ${failure.why}.`,
        "Choose another name; `git check-ref-format --branch <name>` tells what git accepts.",
      );
    case "branch.checked-out":
      return say(
        `${quote(failure.branch)} is checked out in ${failure.path}, and git lets a branch live in one worktree only.`,
        "Give the agent a branch of its own, or switch that checkout to another branch.",
      );
    case "branch.clash":
      return say(
        `${quote(failure.branch)} and ${quote(failure.other)} cannot both exist: git keeps branches as folders.`,
        "Rename one of them.",
      );
    case "branch.in-session":
      return say(
        `${quote(failure.branch)} already has an agent here: ${failure.agent}.`,
        `See it with \`banksman agents\`; talk to it with \`banksman tell ${failure.agent} "…"\`.`,
      );
    case "branch.moved":
      return say(
        `${quote(failure.branch)} has moved since it was looked at, so it was not deleted.`,
        "Look at it with `git log`, then run the command again.",
      );
    case "worktree.occupied":
      return say(`${failure.path} exists and is not a worktree of this repository.`, "Move it away, then start again.");
    case "worktree.unsaved":
      return say(
        `${failure.agent} has ${unsaved(failure.files, failure.commits)}.`,
        "Commit and merge it, or use `--force`: it is saved under refs/banksman/backup/ first, and `banksman restore` brings it back.",
      );
    case "worktree.submodules":
      return say(
        `${failure.path} has submodules with work of their own, which a backup would not hold.`,
        "Push or copy that work, then try again.",
      );
    case "worktree.changed":
      return say(
        `${failure.path} was changed after it had been saved, so it was not removed.`,
        "What was saved is safe, and so is what is there; ask again.",
      );
    case "worktree.in-use":
      return say(`${failure.path} already exists.`, "Move it away, or restore into another branch.");
    case "worktree.foreign":
      return say(
        `${failure.path} is not a worktree of this repository.`,
        "Name one of those that `git worktree list` shows, by its full path.",
      );
    case "watch.refused":
      return say(
        `${failure.folder} cannot be watched: ${oneLine(failure.detail)}`,
        "Its changes are looked for every 2 s instead; on Linux `sysctl fs.inotify.max_user_watches` says how many folders can be watched.",
      );
    case "disk.full":
      return say(
        `The disk of ${failure.path} is full.`,
        "Free some space, then run the same command again: it goes on where it stopped.",
      );
    case "file.failed":
      return say(
        `${failure.path} could not be used: ${oneLine(failure.detail)}`,
        "Check that the path exists and that you may write there.",
      );
    case "path.refused":
      return say(`${quote(failure.path)} is not read: ${failure.why}.`, "Ask for a file of the repository.");
    case "cli.none":
      return say(
        "No CLI was named for the agents.",
        'Use `--cli <name>`, or set `default_cli = "<name>"` in the config.',
      );
    case "cli.unknown":
      return say(
        `There is no CLI called ${quote(failure.cli)}.`,
        failure.known.length > 0
          ? `Known: ${failure.known.join(", ")}. Add one under [clis.${failure.cli}] in the config.`
          : `Add it to the config: [clis.${failure.cli}] with a command.`,
      );
    case "cli.unsupported":
      return say(
        `This version cannot run ${failure.cli} yet.`,
        `It runs any command you configure: [clis.<name>] with a command, then --cli <name>.`,
      );
    case "cli.untrusted":
      return say(
        `The command of ${quote(failure.cli)} comes from this repository's config, which you have not trusted.`,
        "Read it with `banksman trust`, and trust it there.",
      );
    case "cli.not-found":
      return say(
        `${quote(failure.command)}, the command of ${failure.cli}, was not found.`,
        "Install it, or correct [clis] in the config.",
      );
    case "cli.ended-at-once":
      return say(
        `${failure.cli} ended at once: ${failure.how}.`,
        `Its output is in ${failure.log}; mend it and run \`banksman start\` again.`,
      );
    case "skill.problem":
      return say(
        `The skill ${failure.from} cannot be used: ${failure.why}.`,
        "Mend it, or move it away: the bundled one is used then.",
      );
    case "spec.none":
      return say(
        `There are no specs here; looked in ${failure.looked.join(", ")}.`,
        "Write one, or say where they are: `[specs] type` and `dir` in the config, or `--specs-format`.",
      );
    case "spec.several":
      return say(
        `There are several kinds of specs here: ${failure.found.join(", ")}.`,
        "Choose one with `--specs-format`, or `[specs] type` in the config.",
      );
    case "spec.empty":
      return say(
        `Nothing in ${failure.folder} is waiting to be done (${failure.type}).`,
        "Look at what is marked as done there.",
      );
    case "spec.ambiguous":
      return say(
        `${quote(failure.name)} could be any of ${failure.candidates.join(", ")}.`,
        "Name one of them in full; nothing was started.",
      );
    case "spec.unknown":
      return say(
        `There is no spec called ${quote(failure.name)}.`,
        failure.near === null
          ? `There are: ${failure.known.slice(0, 20).join(", ") || "none"}.`
          : `Did you mean ${quote(failure.near)}? Nothing was started.`,
      );
    case "forge.missing":
      return say(
        `\`${failure.program}\`, GitHub's command line program, is not installed or not on PATH.`,
        "Install it (https://cli.github.com) and run `gh auth login`, or start with `--branches` and `--brief`.",
      );
    case "forge.login":
      return say("`gh` is not logged in to GitHub, or its login is not valid any more.", "Run `gh auth login`.");
    case "forge.no-repository":
      return say(
        "`gh` does not know which repository on GitHub this is.",
        "Add it as a remote (`git remote add origin <url>`), or choose one: `gh repo set-default`.",
      );
    case "forge.failed":
      return say(
        `GitHub could not be asked: ${oneLine(failure.detail)}`,
        "Try it by hand: `gh issue list`. Nothing was started.",
      );
    case "issue.unknown":
      return say(
        `There is no issue #${failure.number} here${failure.is === null ? "" : `: it is a ${failure.is}`}.`,
        "`gh issue list` shows them. Nothing was started.",
      );
    case "issue.closed":
      return say(
        `Issue #${failure.number} is closed: ${quote(failure.title)}.`,
        `Leave it out, or open it again: \`gh issue reopen ${failure.number}\`. Nothing was started.`,
      );
    case "epic.unknown":
      return say(
        `There is no epic ${quote(failure.epic)} (${failure.looked}).`,
        failure.near === null
          ? `Make it: \`banksman epic new <id> --title "…"\`, or give the path of a file.`
          : `Did you mean ${failure.near}?`,
      );
    case "epic.exists":
      return say(`${failure.path} is there already, and was left alone.`, "Choose another id, or another --file.");
    case "epic.corrupt":
      return say(
        `${failure.path} was not touched: ${failure.why}.`,
        "Mend it by hand; docs/guides/epic.md shows how the file looks.",
      );
    case "epic.moved":
      return say(`${failure.path} was changed by somebody else meanwhile, and was left alone.`, "Try it again.");
    case "tmux.missing":
      return say("tmux is not installed, or not on PATH.", "Install tmux 3.2 or newer, or use `--headless`.");
    case "tmux.old":
      return say(
        `tmux ${failure.version} is too old.`,
        `Install tmux ${failure.needed} or newer, or use \`--headless\`.`,
      );
    case "tmux.namesake":
      return say(
        `There is a tmux session ${quote(failure.session)} that is not ours, and it is left alone.`,
        `Rename it: \`tmux rename-session -t ${failure.session} other\`.`,
      );
    case "tmux.failed":
      return say(`tmux refused: ${oneLine(failure.detail)}`, "Nothing of yours was removed; try again.");
    case "config.problems":
      return say(
        failure.problems.map(configLine).join("\n"),
        "Correct the file; `banksman init --print` shows every key with its default.",
      );
    case "session.none":
      return say(
        "There is no session in this repository.",
        "Start one: `banksman start --branches feat/a,feat/b --cli <name>`.",
      );
    case "session.not-running":
      return say("The session is not running.", "`banksman start` brings it back as it was.");
    case "session.other-branches":
      return say(
        `A session is already here with ${failure.present.join(", ")}.`,
        `Add to it with \`banksman add ${failure.extra.join(" ")}\`, or end it with \`banksman stop\` and \`banksman purge\`.`,
      );
    case "session.no-panes":
      return say(
        "There is no pane to look at: the session is headless, stopped, or not there.",
        "`banksman status` says which; `banksman start` opens panes where there is tmux.",
      );
    case "agent.unknown":
      return say(
        `There is no agent called ${quote(failure.agent)}.`,
        failure.near
          ? `Did you mean ${failure.near}?`
          : failure.known.length > 0
            ? `Agents: ${failure.known.join(", ")}.`
            : "No agent is in the session.",
      );
    case "agent.not-running":
      return say(`${failure.agent} is not running.`, "`banksman start` brings it back.");
    case "claim.none":
      return say(
        failure.paths.length === 0 || failure.claimed.length === 0
          ? `${failure.agent} claims nothing.`
          : `${failure.agent} does not claim ${failure.paths.map(quote).join(", ")}.`,
        failure.claimed.length === 0
          ? "There is nothing to take back."
          : `It claims ${failure.claimed.map(quote).join(", ")}.`,
      );
    case "question.unknown":
      return say(
        `There is no question ${quote(failure.id)}.`,
        failure.open.length > 0
          ? `Open: ${failure.open.join(", ")}.`
          : "No question is open; `banksman questions` lists them.",
      );
    case "question.allow-or-deny":
      return say(`${failure.id} asks for a permission.`, `Answer \`banksman answer ${failure.id} allow\` or \`deny\`.`);
    case "question.persons":
      return say(
        `${failure.id} is for a person to answer.`,
        "It waits in `banksman questions`; go on with what does not need it.",
      );
    case "backup.unknown":
      return say(
        `There is no backup ${quote(failure.ref)}.`,
        failure.near ? `Did you mean ${failure.near}?` : "`banksman restore list` shows them.",
      );
    case "backup.branch-moved":
      return say(
        `${quote(failure.branch)} exists and points elsewhere.`,
        `Restore beside it: \`banksman restore ${failure.ref} --branch <new-name>\`.`,
      );
    case "supervisor.other":
      return say(
        `Another supervisor owns this repository${failure.pid ? `: process ${failure.pid}${failure.url ? ` at ${failure.url}` : ""}` : ""}.`,
        "Talk to it with `banksman status`, or end it with `banksman serve --stop`.",
      );
    case "supervisor.silent":
      return say(
        `The supervisor${failure.pid ? ` (process ${failure.pid})` : ""} holds this repository but does not answer.`,
        failure.pid
          ? `If it is stopped, continue it: \`kill -CONT ${failure.pid}\`; if it hangs, end it: \`kill -9 ${failure.pid}\`. Nothing is lost.`
          : "Wait a moment and try again.",
      );
    case "supervisor.start-failed":
      return say(`The supervisor did not start: ${oneLine(failure.detail)}`, `Its log is ${failure.log}.`);
    case "supervisor.protocol":
      return say(
        `The running supervisor speaks protocol ${failure.theirs}, this command ${failure.ours}.`,
        "Run `banksman serve --restart`; agents go on.",
      );
    case "supervisor.none":
      return say("No supervisor is running here.", "`banksman start` starts one.");
    case "journal.newer":
      return say(
        `${failure.path} was written by a newer banksman (schema ${failure.found}, this one knows ${failure.known}).`,
        "Update banksman; the journal was not touched.",
      );
    case "journal.older":
      return say(
        `${failure.path} was written by an older banksman.`,
        "`banksman start` brings it up to date, and keeps a copy.",
      );
    case "journal.unreadable":
      return say(
        `The journal ${failure.path} cannot be read: ${oneLine(failure.detail)}`,
        "Move it away to start afresh (worktrees and branches stay), or restore the copy beside it.",
      );
    case "log.gone":
      return say(
        `Messages up to ${failure.kept} are no longer kept: what came after ${failure.since} cannot be told whole.`,
        `Go on from ${failure.kept} (since=${failure.kept}); \`broker.keep_messages\` and \`broker.keep_days\` say how much is kept.`,
      );
    case "store.full":
      return say("The disk is full: nothing was stored.", "Free some space and send it again.");
    case "store.moved":
      return say("The journal moved on in between: nothing was stored.", "Send it again.");
    case "store.broken":
      return say(
        `The journal cannot be written: ${oneLine(failure.detail)}`,
        "Nothing was acknowledged that is not stored. Check the disk; the supervisor tries again by itself.",
      );
    case "request.refused":
      return say(
        failure.message,
        failure.status === 401
          ? "The token is not valid here; run the command again."
          : failure.status === 403
            ? "That is a person's to ask for."
            : "Correct the request and send it again.",
      );
    case "told":
    case "usage":
      return say(failure.message, failure.hint);
    case "needs-confirmation":
      return say(`${failure.what}, and there is no terminal to ask on.`, `Say so with ${failure.flag}.`);
    case "several": {
      const all = failure.failures.map(explain);
      const hints = [...new Set(all.map(({ hint }) => hint))];
      return say(all.map(({ message }) => message).join("\n"), hints.join("\n"));
    }
    case "cancelled":
      return say("Cancelled.", "Nothing was changed.");
    case "internal":
      return say(
        `This is a bug in banksman: ${oneLine(failure.detail)}`,
        "Please report it with the command you ran; your work is not touched by it.",
      );
  }
}

const say = (message: string, hint: string): Explanation => ({ message, hint });

const quote = (text: string) => `\`${printable(text)}\``;

const oneLine = (text: string) => printable(text.trim().split("\n").slice(0, 3).join(" · "));

function unsaved(files: number, commits: number): string {
  const parts = [];
  if (files > 0) parts.push(`${files} uncommitted ${files === 1 ? "file" : "files"}`);
  if (commits > 0) parts.push(`${commits} unmerged ${commits === 1 ? "commit" : "commits"}`);
  return parts.join(" and ");
}

const configLine = ({ file, line, message }: ConfigProblem) => `${file}${line === null ? "" : `:${line}`}: ${message}`;

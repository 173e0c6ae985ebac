import { type Explainers, oneLine, quote, say } from "./words.ts";

export const REPOSITORY: Explainers<"repository" | "git" | "ref" | "branch"> = {
  "repository.none": (failure) =>
    say(`${failure.path} is not inside a git repository.`, "Go to your project's folder, or run `git init` there."),
  "repository.missing": (failure) =>
    say(`There is no folder ${quote(failure.path)}.`, "Check the path, and give the folder of your repository."),
  "repository.path": (failure) =>
    say(
      `banksman cannot work in ${quote(failure.path)}: the path has a line break in it.`,
      "Rename that folder, or clone the repository somewhere else.",
    ),
  "repository.bare": (failure) =>
    say(
      `${failure.path} is a bare repository; agents need a checkout beside it.`,
      "Clone it, and run banksman in the clone.",
    ),
  "repository.unborn": () =>
    say(
      "This repository has no commit yet, so there is nothing to branch from.",
      "Make a first commit: `git commit --allow-empty -m start`.",
    ),
  "repository.detached": () =>
    say(
      "HEAD is detached, so it is not clear which branch the agents should start from.",
      "Check one out first: `git switch <branch>`.",
    ),
  "repository.unsafe": (failure) =>
    say(
      `git refuses ${failure.path} because another user owns it.`,
      `If you trust it: \`git config --global --add safe.directory ${failure.path}\`.`,
    ),
  "repository.filters": (failure) =>
    say(
      `This repository's git config names filters that you have not trusted: ${failure.keys.map(quote).join(", ")}. Without them its files would be checked out with the wrong content.`,
      "Read them with `banksman trust`, and trust them there.",
    ),
  "git.missing": () => say("git is not installed, or not on PATH.", "Install git 2.38 or newer."),
  "git.old": (failure) => say(`git ${failure.version} is too old.`, `Install git ${failure.needed} or newer.`),
  "git.blocked": (failure) =>
    say(
      `${failure.path} is not a regular file but a pipe or a device, and git would wait for it without end.`,
      "Remove it, then run the command again.",
    ),
  "git.failed": (failure) =>
    say(`\`git ${failure.command}\` failed: ${oneLine(failure.detail)}`, "Run it by hand to see more."),
  "ref.unknown": (failure) =>
    say(
      `${quote(failure.ref)} is not a branch, tag or commit of this repository.`,
      "`git branch --all` and `git tag` list what there is.",
    ),
  "branch.none": () => say("No branch was named.", "Name them: `banksman start --branches feat/a,feat/b`."),
  "branch.invalid": (failure) =>
    say(
      `${quote(failure.branch)} cannot be a branch name: ${failure.why}.`,
      "Choose another name; `git check-ref-format --branch <name>` tells what git accepts.",
    ),
  "branch.checked-out": (failure) =>
    say(
      `${quote(failure.branch)} is checked out in ${failure.path}, and git allows a branch in one worktree only.`,
      "Give the agent a branch of its own, or switch that checkout to another branch.",
    ),
  "branch.clash": (failure) =>
    say(
      `${quote(failure.branch)} and ${quote(failure.other)} cannot both exist: git keeps branches as folders.`,
      "Rename one of them.",
    ),
  "branch.in-session": (failure) =>
    say(
      `${quote(failure.branch)} already has an agent here: ${failure.agent}.`,
      `See it with \`banksman agents\`; talk to it with \`banksman tell ${failure.agent} "…"\`.`,
    ),
  "branch.moved": (failure) =>
    say(
      `${quote(failure.branch)} got new commits meanwhile, so it was not deleted.`,
      "Look at it with `git log`, then run the command again.",
    ),
};

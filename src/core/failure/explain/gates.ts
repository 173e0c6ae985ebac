import { type Explainers, oneLine, quote, say } from "./words.ts";

export const GATES: Explainers<"gates" | "land"> = {
  "land.unrelated": () =>
    say(
      "The branch has no commit in common with the target.",
      "Rebase it onto the target; in a shallow clone, fetch more of the history first: `git fetch --unshallow`.",
    ),
  "land.collision": ({ paths }) =>
    say(
      `These names differ only by case: ${paths.join(", ")}. On many machines only one of them could be checked out.`,
      "Rename one of them on the branch, and commit.",
    ),
  "land.too-many": ({ commits, most }) =>
    say(
      `The branch has ${commits} commits of its own; at most ${most} are replayed.`,
      "Squash them, or rebase the branch onto the target yourself.",
    ),
  "land.no-target": () =>
    say(
      "It is not clear which branch to land on: no branch is checked out.",
      'Check one out, or write `[land] target = "main"` into .banksman/config.toml.',
    ),
  "land.nothing": () =>
    say("There is nothing to land: no agent has a commit of its own.", "Name branches: `banksman land feat/a feat/b`."),
  "land.busy": ({ target, asked }) =>
    say(
      `A landing on ${quote(target)} is under way; this one would land on ${quote(asked)}.`,
      "Wait until it is over (`banksman land --watch`), or end it: `banksman land --cancel`.",
    ),
  "land.pr": () =>
    say(
      'Landing by pull requests (`[land] mode = "pr"`) comes with the pipeline, and is not built yet.',
      'Set `[land] mode = "manual"` or `"auto"`.',
    ),
  "land.diverged": ({ target, upstream }) =>
    say(
      `${quote(target)} and ${quote(upstream)} have both moved on.`,
      `Bring them together first: \`git pull --rebase\` on ${target}.`,
    ),
  "land.unreachable": ({ upstream, detail }) =>
    say(`${quote(upstream)} could not be asked: ${oneLine(detail)}`, "Try again, or set `[land] push = false`."),
  "land.not-landed": ({ branch }) =>
    say(
      `${quote(branch)} has not landed here.`,
      "Name the branch, not the agent; `banksman log --all` lists what has landed.",
    ),
  "land.undo-conflict": ({ branch, files }) =>
    say(
      `What ${quote(branch)} landed cannot be taken back by itself: later work touches the same lines (${files.slice(0, 3).join(", ")}).`,
      "Revert it by hand on a branch, and land that.",
    ),
  "gates.none": ({ from }) =>
    say(
      `No gate is configured (${from}): nothing can be verified.`,
      'Write a command, for instance `[supervisor] test_command = "npm test"` (`banksman init` guesses it), commit it, and run `banksman trust`. To land without any check: `[supervisor] gates = "none"`.',
    ),
  "gates.untrusted": ({ keys }) =>
    say(
      `The repository's gates run commands that you have not trusted: ${keys.join(", ")}.`,
      "Read and allow them with `banksman trust`.",
    ),
  "gates.submodule": ({ path, commit }) =>
    say(
      `The submodule ${quote(path)} is not here at ${commit.slice(0, 12)}.`,
      "Fetch it in your checkout: `git submodule update --init`.",
    ),
};

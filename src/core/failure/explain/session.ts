import { type Explainers, oneLine, quote, say } from "./words.ts";

export const SESSION: Explainers<"session" | "brief" | "question" | "claim" | "skill" | "issue" | "spec" | "forge"> = {
  "skill.problem": (failure) =>
    say(
      `The skill ${failure.from} cannot be used: ${failure.why}.`,
      "Correct it, or move it away to use the bundled one.",
    ),
  "spec.none": (failure) =>
    say(
      `There are no specs here; looked in ${failure.looked.join(", ")}.`,
      "Write one, or say where they are: `[specs] type` and `dir` in the config, or `--specs-format`.",
    ),
  "spec.several": (failure) =>
    say(
      `There are several kinds of specs here: ${failure.found.join(", ")}.`,
      "Choose one with `--specs-format`, or `[specs] type` in the config.",
    ),
  "spec.empty": (failure) =>
    say(`No spec in ${failure.folder} is open (${failure.type}).`, "Write one, or reopen one that is marked as done."),
  "spec.ambiguous": (failure) =>
    say(
      `${quote(failure.name)} could be any of ${failure.candidates.join(", ")}.`,
      "Name one of them in full; nothing was started.",
    ),
  "spec.unknown": (failure) =>
    say(
      `There is no spec called ${quote(failure.name)}.`,
      failure.near === null
        ? `There are: ${failure.known.slice(0, 20).join(", ") || "none"}.`
        : `Did you mean ${quote(failure.near)}? Nothing was started.`,
    ),
  "spec.left-out": (failure) =>
    say(`The spec ${quote(failure.name)} cannot be started: it ${failure.why}.`, "Nothing was started."),
  "brief.missing": (failure) =>
    say(
      `There is no task for ${failure.agent}: ${failure.folder} has no ${failure.agent}.md.`,
      "Write it, or give all agents one task with `-m`. Nothing was started.",
    ),
  "forge.missing": (failure) =>
    say(
      `\`${failure.program}\`, GitHub's command line program, is not installed or not on PATH.`,
      "Install it (https://cli.github.com) and run `gh auth login`, or start with `--branches` and `--brief`.",
    ),
  "forge.login": () =>
    say("`gh` is not logged in to GitHub, or its login is not valid any more.", "Run `gh auth login`."),
  "forge.no-repository": () =>
    say(
      "`gh` does not know which repository on GitHub this is.",
      "Add it as a remote (`git remote add origin <url>`), or choose one: `gh repo set-default`.",
    ),
  "forge.failed": (failure) =>
    say(
      `GitHub could not be asked: ${oneLine(failure.detail)}`,
      "Try it by hand: `gh issue list`. Nothing was started.",
    ),
  "issue.unknown": (failure) =>
    say(
      `There is no issue #${failure.number} here${failure.is === null ? "" : `: it is a ${failure.is}`}.`,
      "`gh issue list` shows them. Nothing was started.",
    ),
  "issue.closed": (failure) =>
    say(
      `Issue #${failure.number} is closed: ${quote(failure.title)}.`,
      `Leave it out, or open it again: \`gh issue reopen ${failure.number}\`. Nothing was started.`,
    ),
  "session.none": () =>
    say(
      "There is no session in this repository.",
      "Start one: `banksman start --branches feat/a,feat/b --cli <name>`.",
    ),
  "session.not-running": () => say("The session is not running.", "`banksman start` brings it back as it was."),
  "session.other-branches": (failure) =>
    say(
      `A session is already here with ${failure.present.join(", ")}.`,
      `Add to it with \`banksman add ${failure.extra.join(" ")}\`, or end it with \`banksman stop\` and \`banksman purge\`.`,
    ),
  "session.no-panes": () =>
    say(
      "There is no tmux pane: the session is headless or stopped, or there is none.",
      "`banksman status` shows which; `banksman start` opens panes if tmux is installed.",
    ),
  "session.no-logs": (failure) =>
    say(
      `There are no logs of a session called ${quote(failure.session)}.`,
      failure.known.length > 0
        ? `There are logs of ${failure.known.map(quote).join(", ")}.`
        : "No session has logs in this repository.",
    ),
  "claim.none": (failure) =>
    say(
      failure.paths.length === 0 || failure.claimed.length === 0
        ? `${failure.agent} claims nothing.`
        : `${failure.agent} does not claim ${failure.paths.map(quote).join(", ")}.`,
      failure.claimed.length === 0
        ? "There is nothing to take back."
        : `It claims ${failure.claimed.map(quote).join(", ")}.`,
    ),
  "question.unknown": (failure) =>
    say(
      `There is no question ${quote(failure.id)}.`,
      failure.open.length > 0
        ? `Open: ${failure.open.join(", ")}.`
        : "No question is open; `banksman questions` lists them.",
    ),
  "question.over": (failure) =>
    failure.answer === null
      ? say(`${failure.id} is not open any more: nobody asks it now.`, "`banksman questions` lists what is open.")
      : say(
          `${failure.id} was answered already: ${quote(failure.answer)}.`,
          "To say more, tell the agent: `banksman tell <agent> …`.",
        ),
  "question.allow-or-deny": (failure) =>
    say(`${failure.id} asks for a permission.`, `Answer \`banksman answer ${failure.id} allow\` or \`deny\`.`),
  "question.options": ({ id, options }) =>
    say(
      `${id} can be answered with: ${options.join(", ")}.`,
      `For example \`banksman answer ${id} ${options[0] ?? ""}\`.`,
    ),
  "question.not-for-session": (failure) =>
    say(
      `${failure.id} cannot be allowed for the whole session.`,
      "--session is for `allow`, and for requests to run a command that was seen whole. Leave it out.",
    ),
  "question.persons": (failure) =>
    say(
      `${failure.id} is for a person to answer.`,
      "It waits in `banksman questions`; go on with what does not need it.",
    ),
};

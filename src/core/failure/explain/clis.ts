import { type Explainers, oneLine, quote, say } from "./words.ts";

export const CLIS: Explainers<"cli" | "tmux" | "agent"> = {
  "cli.none": () =>
    say("No CLI was named for the agents.", 'Use `--cli <name>`, or set `default_cli = "<name>"` in the config.'),
  "cli.unknown": (failure) =>
    say(
      `There is no CLI called ${quote(failure.cli)}.`,
      failure.near !== null
        ? `Did you mean ${failure.near}? Known: ${failure.known.join(", ")}.`
        : failure.known.length > 0
          ? `Known: ${failure.known.join(", ")}. Add one under [clis.${failure.cli}] in the config.`
          : `Add it to the config: [clis.${failure.cli}] with a command.`,
    ),
  "cli.unsupported": (failure) =>
    say(
      `This version cannot run ${failure.cli} yet.`,
      `It runs any command you configure: [clis.<name>] with a command, then --cli <name>.`,
    ),
  "cli.no-screen": (failure) =>
    say(
      `${failure.cli} cannot run in tmux yet: banksman does not know its screen, and its brief could get lost.`,
      "Run it headless: `banksman start --headless`.",
    ),
  "cli.untrusted": (failure) =>
    say(
      `${quote(failure.cli)} comes from this repository's config, which you have not trusted.`,
      "Read it with `banksman trust`, and trust it there.",
    ),
  "cli.not-found": (failure) =>
    say(
      `${quote(failure.command)}, the command of ${failure.cli}, was not found.`,
      "Install it, or correct [clis] in the config.",
    ),
  "cli.ended-at-once": (failure) =>
    say(
      `${failure.cli} ended at once: ${failure.how}.`,
      `Its output is in ${failure.log}; fix the cause and run \`banksman start\` again.`,
    ),
  "tmux.missing": () =>
    say("tmux is not installed, or not on PATH.", "Install tmux 3.2 or newer, or use `--headless`."),
  "tmux.old": (failure) =>
    say(`tmux ${failure.version} is too old.`, `Install tmux ${failure.needed} or newer, or use \`--headless\`.`),
  "tmux.namesake": (failure) =>
    say(
      `There is a tmux session ${quote(failure.session)} that banksman did not make.`,
      `Rename it: \`tmux rename-session -t ${failure.session} other\`.`,
    ),
  "tmux.failed": (failure) =>
    say(`tmux refused: ${oneLine(failure.detail)}`, "Nothing of yours was removed; try again."),
  "agent.unknown": (failure) =>
    say(
      `There is no agent called ${quote(failure.agent)}.`,
      failure.near
        ? `Did you mean ${failure.near}?`
        : failure.known.length > 0
          ? `Agents: ${failure.known.join(", ")}.`
          : "No agent is in the session.",
    ),
  "agent.no-log": (failure) =>
    say(
      `There is no log of ${failure.agent}.`,
      "It has printed nothing yet, or somebody has removed the log; `banksman status` shows how it stands.",
    ),
  "agent.not-running": (failure) => say(`${failure.agent} is not running.`, "`banksman start` brings it back."),
};

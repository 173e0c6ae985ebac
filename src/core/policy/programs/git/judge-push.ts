import { ask, deny, type Judgement } from "../../decision.ts";
import { isKnown } from "../../shell/argument.ts";
import type { Scope } from "../../shell/scope.ts";
import type { ReadOptions } from "../read-options.ts";

/** A push of the agent's own branch, under its own name, to the session's remote. */
export function judgePush({ operands }: ReadOptions, { context }: Scope): Judgement | null {
  const [remote, ...refs] = operands;
  const { branch } = context;
  if (operands.some((each) => !isKnown(each))) return ask("git.push.unknown", "It is not known what it would push.");
  if (remote !== undefined && remote.text !== context.remote)
    return deny("git.push.remote", "It pushes to another place than the session's remote.");
  const names = [
    branch,
    "HEAD",
    `HEAD:${branch}`,
    `${branch}:${branch}`,
    `HEAD:refs/heads/${branch}`,
    `refs/heads/${branch}`,
  ];
  const forced = refs.find(({ text }) => text.startsWith("+"));
  if (forced !== undefined) return deny("git.push.force", "It overwrites what is on the remote.");
  if (refs.some(({ text }) => !names.includes(text)) || branch === "")
    return deny("git.push.other", "It pushes something else than the agent's own branch.");
  return context.facts.changesCi()
    ? ask("git.push.ci", "The branch changes what the CI runs, and a push would run it.")
    : null;
}

import { CLIS } from "./explain/clis.ts";
import { EPIC } from "./explain/epic.ts";
import { GATES } from "./explain/gates.ts";
import { GENERAL } from "./explain/general.ts";
import { REPOSITORY } from "./explain/repository.ts";
import { SESSION } from "./explain/session.ts";
import { SUPERVISOR } from "./explain/supervisor.ts";
import { type Explainers, type Explanation, say } from "./explain/words.ts";
import { WORKTREES } from "./explain/worktrees.ts";
import type { Failure } from "./failure.ts";

/** A failure in words. Each family of failures has a file of its own; the compiler names what is missing there. */
export const explain = (failure: Failure): Explanation =>
  (EXPLAINERS[failure.kind] as (failure: Failure) => Explanation)(failure);

const EXPLAINERS: Explainers<Failure["kind"]> = {
  ...REPOSITORY,
  ...WORKTREES,
  ...CLIS,
  ...SESSION,
  ...SUPERVISOR,
  ...EPIC,
  ...GATES,
  ...GENERAL,
  several: ({ failures }) => explainAll(failures.map(explain)),
};

/** Each problem with its own hint below it; a hint that several share in a row stands once, below the last of them. */
function explainAll(all: readonly Explanation[]): Explanation {
  const lines = all.flatMap(({ message, hint }, i) => (hint === all[i + 1]?.hint ? [message] : [message, hint]));
  return say(lines.slice(0, -1).join("\n"), lines.at(-1) ?? "");
}

/** Both sentences, for where there is one place for them. */
export function explainInFull(failure: Failure): string {
  const { message, hint } = explain(failure);
  return `${message} ${hint}`;
}

import { backupRef } from "../../../core/text/naming.ts";
import { SUBMODULES_FILE } from "../../../core/worktrees/set-up-files.ts";
import type { Ports } from "../../../ports/ports.ts";
import type { Place } from "../../loop/place.ts";
import { layCopies, runSetUp } from "../set-up-checkout.ts";
import { whyNotSetUp } from "../why-not-set-up.ts";
import type { Performer } from "./performer.ts";

type Needs = Pick<Ports, "git" | "files" | "command" | "clock"> & { readonly place: Place };

/**
 * Copies, links, submodules, then the set-up command: twice if it fails, and then the agent starts with a warning. What the
 * checkout itself decides (where submodules come from, what a package manager runs) counts only as its user has seen it:
 * the files are looked at here, because a branch may have others than the main checkout.
 */
export const performSetUp: Performer<"worktree.set-up", Needs> = async (
  context,
  { agent, path, branch, setUp, log },
) => {
  const warnings: string[] = [];
  if (setUp.rebase !== null) {
    const now = context.clock.now();
    const save = { ref: backupRef(agent, now), at: now };
    warnings.push(...(await context.git.rebase({ path, branch, onto: setUp.rebase, save })));
  }
  warnings.push(...(await layCopies(context, path, setUp)));
  const { trusted = [] } = setUp;
  const there = { root: context.place.root, path };
  const foreign = await whyNotSetUp(context.files, there, trusted, [SUBMODULES_FILE]);
  if (foreign !== null) warnings.push(`submodules were not initialised: ${foreign}`);
  else warnings.push(...(await context.git.fillSubmodules(path, branch)));
  warnings.push(...(await runSetUp(context, path, setUp, log)));
  return { ok: true, warnings };
};

import { agentEnvironment } from "../../../core/clis/environment.ts";
import { PI_FOLDER } from "../../../core/clis/sidecar.ts";
import { Failed } from "../../../core/failure/failed.ts";
import { backupRef } from "../../../core/text/naming.ts";
import { isInside } from "../../../core/text/paths.ts";
import { obeyedBy } from "../../../core/worktrees/set-up.ts";
import { SUBMODULES_FILE } from "../../../core/worktrees/set-up-files.ts";
import type { Ports } from "../../../ports/ports.ts";
import type { Place } from "../../loop/place.ts";
import { layLog } from "../lay-log.ts";
import { whyNotSetUp } from "../why-not-set-up.ts";
import type { Performer } from "./performer.ts";

const TRIES = 2;

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
  for (const name of [...setUp.copy, PI_FOLDER])
    if (isInside(name)) warnings.push(...(await copy(context, path, name)));
  for (const name of setUp.symlink)
    if (isInside(name)) await context.files.linkInside(`${context.place.root}/${name}`, path, name);
  const { trusted = [] } = setUp;
  const there = { root: context.place.root, path };
  const foreign = await whyNotSetUp(context.files, there, trusted, [SUBMODULES_FILE]);
  if (foreign !== null) warnings.push(`submodules were not initialised: ${foreign}`);
  else warnings.push(...(await context.git.fillSubmodules(path, branch)));
  if (setUp.command === null) return { ok: true, warnings };
  const refused = await whyNotSetUp(context.files, there, trusted, obeyedBy(setUp));
  if (refused !== null) warnings.push(`set-up \`${setUp.command}\` was not run: ${refused}`);
  else warnings.push(...(await runSetUp(context, path, setUp.command, setUp.timeoutSeconds, log)));
  return { ok: true, warnings };
};

/** A link that leads elsewhere costs the copy, not the agent. */
async function copy({ files, place }: Pick<Needs, "files" | "place">, path: string, name: string): Promise<string[]> {
  try {
    await files.copyInside(place.root, path, name);
    return [];
  } catch (error) {
    if (error instanceof Failed && error.failure.kind === "file.failed")
      return [`${name} was not copied: ${error.failure.detail}`];
    throw error;
  }
}

async function runSetUp(
  { command, place, files }: Pick<Needs, "command" | "place" | "files">,
  cwd: string,
  line: string,
  seconds: number,
  log: string,
): Promise<string[]> {
  const env = agentEnvironment(place.env, [], { CI: "1" });
  await layLog({ files, place }, `${log}.set-up`);
  for (let attempt = 1; ; attempt++) {
    const result = await command.run({
      argv: ["sh", "-c", line],
      cwd,
      env,
      timeoutMs: seconds * 1000,
      log: `${log}.set-up`,
    });
    if (result.code === 0) return [];
    const why = result.timedOut ? `took longer than ${seconds} s` : `failed with exit code ${result.code}`;
    if (attempt === TRIES) return [`set-up \`${line}\` ${why}, ${TRIES} times; see ${log}.set-up`];
  }
}

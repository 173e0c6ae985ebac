import { agentEnvironment } from "../../core/environment.ts";
import { isInside } from "../../core/paths.ts";
import { PI_FOLDER } from "../../core/sidecar.ts";
import type { House } from "../house.ts";
import type { Performer } from "./perform.ts";

const TRIES = 2;

/** Copies, links, submodules, then the set-up command: twice if it fails, and then the agent starts with a warning. */
export const performSetUp: Performer<"worktree.set-up"> = async (house, { path, branch, setUp, log }) => {
  const warnings: string[] = [];
  if (setUp.rebase !== null) warnings.push(...(await house.git.rebase(path, branch, setUp.rebase)));
  for (const name of [...setUp.copy, PI_FOLDER])
    if (isInside(name)) await house.files.copyInside(`${house.place.root}/${name}`, path, name);
  for (const name of setUp.symlink)
    if (isInside(name)) await house.files.linkInside(`${house.place.root}/${name}`, path, name);
  warnings.push(...(await house.git.fillSubmodules(path, branch)));
  if (setUp.command !== null) warnings.push(...(await runSetUp(house, path, setUp.command, setUp.timeoutSeconds, log)));
  return { ok: true, warnings };
};

async function runSetUp(
  { command, place }: House,
  cwd: string,
  line: string,
  seconds: number,
  log: string,
): Promise<string[]> {
  const env = agentEnvironment(place.env, [], { CI: "1" });
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

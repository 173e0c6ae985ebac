import { agentEnvironment } from "../../core/clis/environment.ts";
import { PI_FOLDER } from "../../core/clis/sidecar.ts";
import { Failed } from "../../core/failure/failed.ts";
import { isInside } from "../../core/text/paths.ts";
import { obeyedBy, type SetUp } from "../../core/worktrees/set-up.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Place } from "../loop/place.ts";
import { layLog } from "./lay-log.ts";
import { whyNotSetUp } from "./why-not-set-up.ts";

const TRIES = 2;

type Needs = Pick<Ports, "files" | "command"> & { readonly place: Place };
type Wanted = Omit<SetUp, "rebase">;

/** What a checkout gets of the user's own: copies and links. Answers with warnings. */
export async function layCopies(
  context: Pick<Needs, "files" | "place">,
  path: string,
  { copy, symlink }: Pick<Wanted, "copy" | "symlink">,
): Promise<string[]> {
  const warnings: string[] = [];
  for (const name of [...copy, PI_FOLDER]) if (isInside(name)) warnings.push(...(await copyInto(context, path, name)));
  for (const name of symlink)
    if (isInside(name)) await context.files.linkInside(`${context.place.root}/${name}`, path, name);
  return warnings;
}

/** The set-up command, twice if it fails, and only as far as its user has seen what it obeys. Answers with warnings. */
export async function runSetUp(context: Needs, path: string, setUp: Wanted, log: string): Promise<string[]> {
  const { command, timeoutSeconds, trusted = [] } = setUp;
  if (command === null) return [];
  const there = { root: context.place.root, path };
  const refused = await whyNotSetUp(context.files, there, trusted, obeyedBy(setUp));
  if (refused !== null) return [`set-up \`${command}\` was not run: ${refused}`];
  return runTwice(context, path, command, timeoutSeconds, log);
}

/** A link that leads elsewhere costs the copy, not the agent. */
async function copyInto(
  { files, place }: Pick<Needs, "files" | "place">,
  path: string,
  name: string,
): Promise<string[]> {
  try {
    await files.copyInside(place.root, path, name);
    return [];
  } catch (error) {
    if (error instanceof Failed && error.failure.kind === "file.failed")
      return [`${name} was not copied: ${error.failure.detail}`];
    throw error;
  }
}

async function runTwice(
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

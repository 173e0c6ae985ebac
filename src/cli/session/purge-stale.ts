import { existsSync } from "node:fs";
import { join } from "node:path";
import type { StaleEntry, StaleResult } from "../../core/session/stale.ts";
import { counted } from "../../core/text/counted.ts";
import { ERROR, type Input, type Io, OK, printJson } from "../command.ts";
import { act } from "../supervisor/connect.ts";
import { removeState, staleStates } from "../supervisor/stale-states.ts";
import { withSupervisor } from "../supervisor/with-supervisor.ts";
import { findRepository, type Repository } from "../wire/find-repository.ts";
import { confirm } from "./confirm.ts";

type Stale = (look: boolean) => Promise<StaleResult>;

/** `purge --stale`: what dead sessions left, here and of repositories that are gone. */
export async function purgeStale({ options }: Input, io: Io): Promise<number> {
  const repository = findRepository(io.cwd, io.env);
  // In a repository where nothing of ours ever was there is nothing to ask a supervisor about.
  const used =
    repository !== null &&
    [repository.state, join(repository.root, ".banksman/worktrees")].some((path) => existsSync(path));
  const clear = (stale: Stale) => clearStale(options, stale, io);
  return used ? withStale(repository, clear) : clear(async () => ({ removed: [], kept: [] }));
}

const withStale = (repository: Repository, work: (stale: Stale) => Promise<number>): Promise<number> =>
  withSupervisor(repository, "hold", (connection) =>
    work((look) => act<StaleResult>(connection, { type: "purge", look, stale: true })),
  );

async function clearStale(options: Input["options"], stale: Stale, io: Io): Promise<number> {
  const [plan, states] = [await stale(true), staleStates(io.env)];
  const found = [...plan.removed, ...states.removed];
  const kept = [...plan.kept, ...states.kept];
  if (options.dryRun || found.length === 0) {
    if (options.json) printJson(io, { removed: found, kept });
    else show(io, found, kept, options.dryRun ? "would go" : "");
    return OK;
  }
  if (!options.json) show(io, found, kept, "goes");
  if (!options.force)
    await confirm(io, `Remove ${found.length === 1 ? "this" : `these ${found.length} things`}`, "--force");
  const done = await stale(false);
  for (const entry of states.removed) removeState(entry);
  const removed = [...done.removed, ...states.removed];
  const stayed = [...done.kept, ...states.kept];
  if (options.json) printJson(io, { removed, kept: stayed });
  else report(io, removed);
  return removed.length === found.length ? OK : ERROR;
}

function show(io: Io, found: readonly StaleEntry[], kept: readonly StaleEntry[], word: string): void {
  if (found.length === 0) io.out("Nothing is stale.\n");
  for (const { path, why, files } of found)
    io.out(
      `  ${word}: ${path} (${why}${files === 0 ? "" : `; ${counted(files, "uncommitted file")} will be saved`})\n`,
    );
  for (const { path, why } of kept) io.out(`  stays: ${path} (${why})\n`);
}

function report(io: Io, removed: readonly StaleEntry[]): void {
  for (const { path, backup } of removed) io.out(`${path}: removed${backup === null ? "" : `, saved as ${backup}`}\n`);
  if (removed.some(({ backup }) => backup !== null))
    io.out("`banksman restore list` shows what can be brought back.\n");
}

import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Prediction } from "../../core/conflicts/prediction.ts";
import type { ConflictsView } from "../../core/conflicts/view.ts";
import { Failed, oneOrSeveral } from "../../core/failure/failed.ts";
import type { Failure } from "../../core/failure/failure.ts";
import type { Commit } from "../../core/text/ids.ts";
import type { Predictor } from "../../ports/predictor.ts";
import { type Command, type Io, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireGitFolder, requireRepository } from "../repository.ts";
import { localTime } from "../show/local-time.ts";
import { renderConflicts, renderPair } from "../show/render-conflicts.ts";
import { ask, connect } from "../supervisor/connect.ts";
import { openReader } from "../supervisor/reader.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import type { Repository } from "../wire/find-repository.ts";
import { wirePredictor } from "../wire/wire-ports.ts";

export const command: Command = {
  name: "conflicts",
  summary: "Show which agents edit the same files, and which lines would conflict",
  args: [{ name: "[refs...]", help: "With --refs: two or more branches, tags or commits." }],
  options: [
    { flags: "--watch", help: "Print again after each change, until Ctrl-C; with --json, one line per change." },
    { flags: "--refs", help: "Try to merge these refs with each other in memory. Needs no session and no checkout." },
    JSON_OPTION,
  ],
  examples: [
    { run: "banksman conflicts", does: "shows the conflicts of the session, uncommitted work included" },
    { run: "banksman conflicts --watch", does: "prints them again whenever they change" },
    {
      run: "banksman conflicts --refs main feat/auth",
      does: "shows whether feat/auth merges into main, and which lines conflict",
    },
    {
      run: "banksman conflicts --refs feat/a feat/b feat/c --json | jq '.predicted[].between'",
      does: "prints the pairs that conflict; works in a bare repository too",
    },
  ],
  async run({ args, options }, io) {
    if (options.refs) return ofRefs(args, options.json === true, io);
    if (args.length > 0) throw new Failed(WITHOUT_REFS);
    const repository = await requireRepository(io);
    if (options.watch) return watch(repository, options.json === true, io);
    const reader = await openReader(repository);
    const view = await reader.conflicts().finally(() => reader.close());
    if (options.json) printJson(io, view);
    else io.out(renderConflicts(view));
    return OK;
  },
};

const TOO_FEW: Failure = {
  kind: "usage",
  message: "A merge needs two different refs.",
  hint: "Name them: `banksman conflicts --refs main feat/a`.",
};

const WITHOUT_REFS: Failure = {
  kind: "usage",
  message: "Refs are compared with --refs; without it, all agents of the session are.",
  hint: "`banksman conflicts --refs main feat/a`, or `banksman conflicts`.",
};

const WAIT_SECONDS = 2;

/** Over HTTP, like every dashboard. */
async function watch(repository: Repository, json: boolean, io: Io): Promise<number> {
  const connection = await connect(repository, "never");
  let shown = "";
  for (let version = 0; ; ) {
    const view = await ask<ConflictsView>(connection, "/conflicts");
    const { checkedAt: _, ...rest } = view;
    if (JSON.stringify(rest) !== shown) {
      shown = JSON.stringify(rest);
      if (json) io.out(`${JSON.stringify(view)}\n`);
      else io.out(`${localTime(view.checkedAt, Date.now())}\n${renderConflicts(view)}`);
    }
    const path = `/snapshot?since=${version}&wait=${WAIT_SECONDS}`;
    ({ version } = await ask<{ version: number }>(connection, path, { ms: (WAIT_SECONDS + 10) * 1000 }));
  }
}

async function ofRefs(args: readonly string[], json: boolean, io: Io): Promise<number> {
  const refs = [...new Set(args)];
  if (refs.length < 2) throw new Failed(TOO_FEW);
  const folder = await requireGitFolder(io);
  const pairs = await predictPairs(wirePredictor(folder, quarantine(), io.env), refs);
  if (json) printJson(io, answer(pairs, new Date().toISOString()));
  else for (const each of pairs) io.out(renderPair(each.between, each.prediction));
  return OK;
}

/** Gone when we are, however we end. */
function quarantine(): string {
  const folder = temporaryFolder("conflicts");
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "objects");
}

interface PredictedPair {
  readonly between: readonly [string, string];
  readonly prediction: Prediction;
}

async function predictPairs(predictor: Predictor, refs: readonly string[]): Promise<PredictedPair[]> {
  const commits = await Promise.all(refs.map((ref) => predictor.commitOf(ref)));
  const unknown = refs.filter((_, i) => commits[i] === null);
  if (unknown.length > 0) throw new Failed(oneOrSeveral(unknown.map((ref) => ({ kind: "ref.unknown", ref }))));
  const between = refs.flatMap((a, i) => refs.slice(i + 1).map((b) => [a, b] as const));
  const commitOf = (ref: string) => commits[refs.indexOf(ref)] as Commit;
  const pairs = between.map(([a, b]) => ({ ours: commitOf(a), theirs: commitOf(b) }));
  const predictions = await predictor.predict({ pairs, worktree: null });
  return between.map((names, i) => ({ between: names, prediction: predictions[i] as Prediction }));
}

/** The shape of a session's conflicts, of which only predicted ones can be known of refs. */
function answer(pairs: readonly PredictedPair[], checkedAt: string) {
  const predicted = pairs
    .filter(({ prediction }) => prediction.outcome === "conflict")
    .map(({ between, prediction: { files } }) => ({
      between,
      paths: files.map(({ path }) => path),
      since: checkedAt,
      files,
    }));
  const clean = pairs
    .filter(({ prediction }) => prediction.outcome !== "conflict")
    .map(({ between, prediction: { shared } }) => ({ between, shared }));
  return { forward: [], inFlight: [], ownership: [], predicted, clean, checkedAt };
}

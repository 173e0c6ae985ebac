import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Prediction } from "../../core/conflicts/prediction.ts";
import { Failed, type Failure, oneOrSeveral } from "../../core/failure.ts";
import type { Commit } from "../../core/ids.ts";
import type { Predictor } from "../../ports/predictor.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireGitFolder } from "../here.ts";
import { renderPair } from "../render-conflicts.ts";
import { wirePredictor } from "../wire.ts";

export const command: Command = {
  name: "conflicts",
  summary: "What would conflict if it were merged now, with the lines",
  args: [{ name: "[refs...]", help: "With --refs: two or more branches, tags or commits." }],
  options: [
    { flags: "--refs", help: "Merge the refs with each other, two by two, in memory: no session, no checkout needed." },
    JSON_OPTION,
  ],
  examples: [
    { run: "banksman conflicts --refs main feat/auth", does: "whether feat/auth still merges, and which lines do not" },
    {
      run: "banksman conflicts --refs feat/a feat/b feat/c --json | jq '.predicted[].between'",
      does: "the pairs that conflict; works in a bare repository, too",
    },
  ],
  async run({ args, options }, io) {
    const refs = [...new Set(args)];
    if (!options.refs || refs.length < 2) throw new Failed(options.refs ? TOO_FEW : WITHOUT_REFS);
    const folder = await requireGitFolder(io);
    const pairs = await predictPairs(wirePredictor(folder, quarantine(), io.env), refs);
    if (options.json) printJson(io, answer(pairs, new Date().toISOString()));
    else for (const each of pairs) io.out(renderPair(each.between, each.prediction));
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
  message: "What should be merged with what is not said.",
  hint: "Name two or more: `banksman conflicts --refs main feat/a`. Agents of a session are not compared by themselves yet.",
};

/** Gone when we are, however we end. */
function quarantine(): string {
  const folder = mkdtempSync(join(tmpdir(), "banksman-conflicts-"));
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

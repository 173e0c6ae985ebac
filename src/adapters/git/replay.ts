import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../core/clis/environment.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { Commit, Instant } from "../../core/text/ids.ts";
import type { Replay, ReplayConflict, ReplayOrder, RevertOrder } from "../../ports/target.ts";
import { layAttributes } from "./attributes.ts";
import { readable } from "./bytes.ts";
import { keepBackup } from "./keep-backup.ts";
import { type Merged, mergeTrees } from "./merge-trees.ts";
import { resolveCommit } from "./objects.ts";
import { readHunks } from "./read-hunks.ts";
import type { GitCall, GitRunner } from "./run.ts";
import { type Scratch, withScratch } from "./scratch.ts";
import { withEntriesOf } from "./tree-entries.ts";
import { refuseUnfit } from "./unfit.ts";

/** Refs that hold what was made for a landing, until it has landed or is given up. */
export const STAGED = "refs/banksman/staged/";

const MOST_COMMITS = 2_000;
const MOST_FILES = 20;
const MOST_LINES = 12;

/**
 * A branch's commits on top of another commit, by merge-tree and commit-tree: no checkout, no hook, no rerere, no signing.
 * Git 2.39's merge-tree takes no merge base, so each commit is merged with a commit of our own, whose tree is the one to
 * build on and whose parent is the commit's own parent.
 */
export async function replay(git: GitRunner, commonDir: string, order: ReplayOrder): Promise<Replay> {
  const { tip, onto } = order;
  const [isThere, isOnTop] = await Promise.all([contains(git, onto, tip), contains(git, tip, onto)]);
  if (isThere) return { how: "nothing" };
  await refuseUnfit(git, tip, onto);
  if (isOnTop) return asItIs(git, order);
  return withScratch(commonDir, (scratch) =>
    inAttributesOf(git, commonDir, onto, scratch, async (call, folder) => {
      const made = await build(git, order, { call, folder, scratch });
      if (made.how === "made" && made.commit !== onto) await hold(git, commonDir, scratch, made.commit, onto);
      return made;
    }),
  );
}

interface Building {
  readonly call: GitCall & { readonly cwd: string; readonly env: Environment };
  readonly folder: string;
  readonly scratch: Scratch;
}

/** It stands on it already: ids and signatures stay. */
async function asItIs(git: GitRunner, { tip, onto }: ReplayOrder): Promise<Replay> {
  const tree = await treeOf(git, tip);
  await git.run(["update-ref", `${STAGED}${tip}`, tip]);
  return { how: "made", commit: tip, tree, files: await filesBetween(git, onto, tip, {}) };
}

async function build(git: GitRunner, order: ReplayOrder, building: Building): Promise<Replay> {
  const { onto } = order;
  const [commits, identity, before] = await Promise.all([
    ownCommits(git, order),
    committer(git, order.date),
    treeOf(git, onto),
  ]);
  let head = onto;
  let tree = before;
  const squash = commits.some(({ parents }) => parents.length !== 1);
  const steps = squash
    ? [{ commit: order.tip, parent: null }]
    : commits.map(({ commit, parents }) => ({ commit, parent: parents[0] as Commit }));
  const kept = new Set<string>();
  for (const { commit, parent } of steps) {
    const ours = parent === null ? head : await throwAway(git, tree, parent, building);
    const pair = { ours, theirs: commit };
    const [merged] = (await mergeTrees(git, [pair], building.call)) as [Merged];
    const isGenerated = ({ path, at }: Merged["conflicts"][number]) =>
      path === at && order.generated?.(readable(path)) === true;
    if (!merged.clean && !merged.conflicts.every(isGenerated))
      return { how: "conflict", files: await conflictsOf(git, merged, pair, building) };
    const paths = merged.conflicts.map(({ path }) => path);
    for (const path of paths) kept.add(readable(path));
    const next = merged.clean
      ? merged.tree
      : await withEntriesOf(git, merged.tree, tree, paths, { ...building.call, folder: building.scratch.folder });
    if (next === tree) continue;
    head = await commitAs(git, commit, next, head, {
      identity,
      env: building.call.env,
      squash: squash ? order.name : null,
    });
    tree = next;
  }
  if (head === onto && kept.size === 0) return { how: "nothing" };
  const files = await filesBetween(git, onto, head, building.call.env);
  return { how: "made", commit: head, tree, files, ...(kept.size > 0 && { kept: [...kept] }) };
}

/** Both sides of the merge stand on what is taken back: one is the present tree, the other the tree before it. */
export async function revert(git: GitRunner, commonDir: string, order: RevertOrder): Promise<Replay> {
  const { from, to, onto } = order;
  return withScratch(commonDir, (scratch) =>
    inAttributesOf(git, commonDir, onto, scratch, async (call, folder): Promise<Replay> => {
      const building = { call, folder, scratch };
      const [present, before] = [await treeOf(git, onto), await treeOf(git, from)];
      const pair = {
        ours: await throwAway(git, present, to, building),
        theirs: await throwAway(git, before, to, building),
      };
      const [merged] = (await mergeTrees(git, [pair], call)) as [Merged];
      if (!merged.clean) return { how: "conflict", files: await conflictsOf(git, merged, pair, building) };
      if (merged.tree === present) return { how: "nothing" };
      const identity = await committer(git, order.date);
      const args = ["commit-tree", "-p", onto, "-F", "-", merged.tree];
      const env = { ...call.env, ...identity, ...asAuthor(identity) };
      const commit = (await git.text(args, { env, input: `${order.message}\n` })) as Commit;
      if ((await resolveCommit(git, order.ref)) !== commit) {
        await git.run(["update-ref", "-d", order.ref]);
        await keepBackup(git, commonDir, scratch, { ref: order.ref, commit, known: [onto] });
      }
      return { how: "made", commit, tree: merged.tree, files: await filesBetween(git, onto, commit, call.env) };
    }),
  );
}

/** Oldest first: what the tip has, and neither `since` nor the commit it is put onto has. */
async function ownCommits(git: GitRunner, { tip, onto, since }: ReplayOrder) {
  const not = [onto, ...(since === null ? [] : [since])];
  const lines = (await git.text(["rev-list", "--reverse", "--topo-order", "--parents", tip, "--not", ...not]))
    .split("\n")
    .filter((line) => line !== "");
  if (lines.length > MOST_COMMITS)
    throw new Failed({ kind: "land.too-many", commits: lines.length, most: MOST_COMMITS });
  return lines.map((line) => {
    const [commit, ...parents] = line.split(" ") as Commit[];
    return { commit: commit as Commit, parents };
  });
}

const throwAway = (git: GitRunner, tree: string, parent: Commit, { call }: Building): Promise<Commit> =>
  git.text(["commit-tree", "-p", parent, "-m", "banksman: to merge with", tree], {
    env: { ...call.env, ...NOBODY },
  }) as Promise<Commit>;

const NOBODY = {
  GIT_AUTHOR_NAME: "banksman",
  GIT_AUTHOR_EMAIL: "banksman@localhost",
  GIT_AUTHOR_DATE: "1000000000 +0000",
  GIT_COMMITTER_NAME: "banksman",
  GIT_COMMITTER_EMAIL: "banksman@localhost",
  GIT_COMMITTER_DATE: "1000000000 +0000",
};

/** The user, where git knows them. The date was written down first: after a crash the same commits are made again. */
export async function committer(git: GitRunner, date: Instant): Promise<Environment> {
  const [name, email] = await Promise.all(
    ["user.name", "user.email"].map((key) => git.text(["config", "--get", key], { answers: [1] })),
  );
  return {
    GIT_COMMITTER_NAME: name || "banksman",
    GIT_COMMITTER_EMAIL: email || "banksman@localhost",
    GIT_COMMITTER_DATE: `${Math.floor(date / 1000)} +0000`,
  };
}

export const asAuthor = (identity: Environment): Environment =>
  Object.fromEntries(Object.entries(identity).map(([name, value]) => [name.replace("COMMITTER", "AUTHOR"), value]));

interface Making {
  readonly identity: Environment;
  readonly env: Environment;
  /** The branch's name where its merges become one commit. */
  readonly squash: string | null;
}

/** With the author and the message it has. */
async function commitAs(git: GitRunner, from: Commit, tree: string, parent: Commit, making: Making): Promise<Commit> {
  const format = "%an%x00%ae%x00%ad%x00%B";
  const text = await git.text(["log", "-1", "--date=raw", `--format=${format}`, from], { env: making.env });
  const [name = "", email = "", date = "", ...message] = text.split("\0");
  const env = {
    ...making.env,
    ...making.identity,
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: `@${date}`.replace(/^@@/, "@"),
  };
  const body = message.join("\0").replace(/\n*$/, "\n");
  const input =
    making.squash === null
      ? body
      : `${making.squash}: all of it in one\n\nThe branch has merges, which a linear history cannot keep. Its last message:\n\n${body}`;
  return (await git.text(["commit-tree", "-p", parent, "-F", "-", tree], { env, input })) as Commit;
}

async function conflictsOf(
  git: GitRunner,
  { conflicts }: Merged,
  pair: { readonly ours: Commit; readonly theirs: Commit },
  { call, folder }: Building,
): Promise<ReplayConflict[]> {
  const [hunks] = await readHunks(git, [pair], { ...call, folder });
  return conflicts.slice(0, MOST_FILES).map(({ path, at, kind }): ReplayConflict => {
    const [hunk] = hunks?.get(at)?.hunks ?? [];
    if (hunk === undefined) return { path: readable(path), line: null, lines: [kind] };
    const lines = [...hunk.ours.map((line) => `- ${line}`), ...hunk.theirs.map((line) => `+ ${line}`)];
    return { path: readable(path), line: hunk.line, lines: lines.slice(0, MOST_LINES) };
  });
}

/** Held by a ref before anybody tests it: a `git gc` in between would take it away. */
export async function hold(
  git: GitRunner,
  commonDir: string,
  scratch: Scratch,
  commit: Commit,
  known: Commit,
): Promise<void> {
  const ref = `${STAGED}${commit}`;
  if ((await resolveCommit(git, ref)) === commit) return;
  await keepBackup(git, commonDir, scratch, { ref, commit, known: [known] });
}

/** A merge reads attributes from files: those of the commit that is built on count. */
async function inAttributesOf<T>(
  git: GitRunner,
  commonDir: string,
  commit: Commit,
  scratch: Scratch,
  work: (call: Building["call"], folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "banksman-replay-"));
  try {
    await layAttributes(git, commit, folder, { env: scratch.env });
    const env = { ...scratch.env, GIT_DIR: commonDir, GIT_WORK_TREE: folder };
    return await work({ cwd: folder, env }, scratch.folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function contains(git: GitRunner, commit: Commit, other: Commit): Promise<boolean> {
  const { code } = await git.run(["merge-base", "--is-ancestor", other, commit], { answers: [1] });
  return code === 0;
}

export const treeOf = (git: GitRunner, commit: Commit, env: Environment = {}): Promise<string> =>
  git.text(["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`], { env });

export async function filesBetween(git: GitRunner, from: Commit, to: Commit, env: Environment): Promise<string[]> {
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to];
  return (await git.names(args, { env })).map(readable);
}

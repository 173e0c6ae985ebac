import { beforeEach, expect, it } from "vitest";
import { Failed } from "../../src/core/failure/failed.ts";
import type { AgentId, Branch, Commit, Instant } from "../../src/core/text/ids.ts";
import { createPredictions, type LookOrder, type Predictions } from "../../src/engine/conflicts/predictions.ts";
import { FakeGit, FakeRepository } from "../fakes/fake-git.ts";
import { FakePredictor } from "../fakes/fake-predictor.ts";

const LINES = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
let repo: FakeRepository;
let predictor: FakePredictor;
let look: (order: LookOrder) => Promise<Predictions>;
let names: string[];
beforeEach(() => {
  repo = new FakeRepository({ f: LINES, g: LINES, h: LINES });
  predictor = new FakePredictor(repo);
  look = createPredictions(predictor);
  names = [];
});

async function join(...agents: string[]): Promise<void> {
  const git = new FakeGit(repo);
  const { commit } = await git.head();
  for (const name of agents) {
    await git.ensureBranch(name as Branch, commit);
    await git.addWorktree(`/w/${name}`, name as Branch);
    await git.fillWorktree(`/w/${name}`);
    names.push(name);
  }
}

const write = (agent: string, file: string, line: number, text: string) => {
  const files = repo.filesOf(`/w/${agent}`);
  const lines = (files[file] ?? LINES).split("\n");
  lines[line - 1] = text;
  files[file] = lines.join("\n");
};

const order = (now: number, edited?: string[]): LookOrder => ({
  agents: names.map((name) => ({ name: name as AgentId, worktree: `/w/${name}`, skip: [] })),
  base: { name: "main", commit: repo.heads.get("main" as Branch) as Commit },
  ...(edited !== undefined && { edited: new Set(edited as AgentId[]) }),
  now: now as Instant,
});

const shown = ({ pairs }: Predictions) =>
  pairs.map(({ between, prediction, since }) => `${between.join("×")} ${prediction.outcome} ${since}`);

it("sees who conflicts with whom, and with the base", async () => {
  await join("a", "b", "c");
  write("a", "f", 1, "ours");
  write("b", "f", 1, "theirs");
  write("c", "f", 8, "far");
  expect(shown(await look(order(1)))).toEqual([
    "a×main disjoint 1",
    "a×b conflict 1",
    "a×c same-file 1",
    "b×main disjoint 1",
    "b×c same-file 1",
    "c×main disjoint 1",
  ]);
  repo.heads.set(
    "main" as Branch,
    repo.commit({ f: LINES.replace("1", "main"), g: LINES, h: LINES }, [repo.heads.get("main" as Branch) as Commit]),
  );
  expect(shown(await look(order(2))).filter((line) => line.includes("main"))).toEqual([
    "a×main conflict 2",
    "b×main conflict 2",
    "c×main same-file 1",
  ]);
});

it("merges nothing again when nothing has changed, and says since when", async () => {
  await join("a", "b");
  write("a", "f", 1, "ours");
  write("b", "f", 1, "theirs");
  const first = shown(await look(order(1)));
  predictor.merged.length = 0;
  expect(shown(await look(order(2)))).toEqual(first);
  expect(predictor.merged).toEqual([]);
  write("b", "f", 1, "other");
  expect(shown(await look(order(3)))).toContain("a×b conflict 1");
});

it("looks only at who has edited, and merges only with whom it matters to", async () => {
  await join("a", "b", "c");
  write("a", "f", 1, "ours");
  write("a", "g", 1, "ours");
  write("b", "f", 1, "theirs");
  write("c", "g", 1, "theirs");
  await look(order(1));
  predictor.merged.length = 0;
  write("a", "f", 1, "1");
  write("b", "g", 9, "not said");
  const now = await look(order(2, ["a"]));
  expect(shown(now)).toEqual(["a×main disjoint 1", "a×c conflict 1", "b×main disjoint 1", "c×main disjoint 1"]);
  expect(predictor.merged.length).toBe(1);
});

it("forgets who has left, and sees who comes back afresh", async () => {
  await join("a", "b");
  write("a", "f", 1, "ours");
  write("b", "f", 1, "theirs");
  await look(order(1));
  names = ["a"];
  expect(shown(await look(order(2, [])))).toEqual(["a×main disjoint 1"]);
  names = ["a", "b"];
  expect(shown(await look(order(3, [])))).toContain("a×b conflict 3");
});

it("takes everything again when the store is another one", async () => {
  await join("a", "b");
  write("a", "f", 1, "ours");
  await look(order(1));
  write("b", "f", 1, "theirs");
  predictor.generation++;
  expect(shown(await look(order(2, [])))).toContain("a×b conflict 2");
});

it("says what it could not look at or merge, shows the rest, and tries again", async () => {
  await join("a", "b", "c");
  for (const agent of names) write(agent, "f", 1, agent);
  const failure = { kind: "git.failed", command: "merge-tree", detail: "x" } as const;
  const predict = predictor.predict.bind(predictor);
  const bad = (await predictor.workCommit({ path: "/w/c", base: order(0).base.commit, skip: [] })).commit;
  predictor.predict = async (asked) => {
    if (asked.pairs.some(({ theirs }) => theirs === bad)) throw new Failed(failure);
    return predict(asked);
  };
  repo.worktrees.delete("/w/b");
  const first = await look(order(1));
  expect(first.problems).toEqual([
    { between: ["b"], failure: { kind: "worktree.occupied", path: "/w/b" } },
    { between: ["a", "c"], failure },
  ]);
  expect(shown(first)).toEqual(["a×main disjoint 1", "c×main disjoint 1"]);
  predictor.predict = predict;
  expect(shown(await look(order(2, [])))).toContain("a×c conflict 2");
});

it("does one look at a time", async () => {
  await join("a", "b");
  write("a", "f", 1, "ours");
  write("b", "f", 1, "theirs");
  const both = await Promise.all([look(order(1)), look(order(2, []))]);
  expect(both.map(shown)[0]).toEqual(both.map(shown)[1]);
  expect(predictor.merged.length).toBe(3);
});

import { execFileSync } from "node:child_process";
import { lstatSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Ran, Stage } from "../stage.ts";
import { STRANGE } from "../worktrees/strange.ts";
import { lostOf, type Treasure, treasureOf } from "../worktrees/treasure.ts";

/** Every strange worktree × every way of removing: what was in it is still on disk, or a ref holds it. */
const KINDS = Object.keys(STRANGE);
const agentOf = (kind: string): string => `k${KINDS.indexOf(kind)}`;
const AGENTS = KINDS.map(agentOf);

interface Way {
  /** Brings the session to where this way is used. */
  prepare?(): void;
  run(): Promise<Ran>;
  /** It removes no worktree at all. */
  readonly harmless?: true;
}

const WAYS: Readonly<Record<string, Way>> = {
  "remove --force": { run: () => stage.bm("remove", "--force", ...AGENTS) },
  purge: { run: () => stage.bm("purge", "--force") },
  "purge --stale": {
    // Its journal is lost: somebody tidied up the state folder.
    prepare: () => rmSync(stage.folder, { recursive: true }),
    run: () => stage.bm("purge", "--stale", "--force"),
  },
  "doctor --fix": {
    // As a supervisor leaves it that was killed.
    prepare: () => writeFileSync(join(stage.folder, "run.json"), DEAD),
    run: () => stage.bm("doctor", "--fix"),
    harmless: true,
  },
};

const DEAD = JSON.stringify({
  url: "http://127.0.0.1:1",
  pid: 999_999_999,
  protocol: 1,
  since: "2026-01-01T00:00:00Z",
});

let stage: Stage;
let treasures: ReadonlyMap<string, Treasure>;
const table = new Map(KINDS.map((kind) => [kind, new Map<string, string>()]));

/** One session, made once: each way of removing begins with a copy of it. */
beforeAll(async () => {
  stage = new Stage({ README: "hi\n", ".gitignore": "ignored/\n" });
  for (const agent of AGENTS) stage.script(agent, []);
  await stage.start(AGENTS.join(","));
  await stage.allIn("done");
  await stage.ok("stop");
  treasures = new Map(KINDS.map((kind) => [kind, makeStrange(kind)]));
  copy(stage.repo.folder, made());
});

beforeEach(() => {
  rmSync(stage.repo.folder, { recursive: true });
  copy(made(), stage.repo.folder);
});

afterAll(async () => {
  rmSync(made(), { recursive: true, force: true });
  await stage.dispose();
  print();
});

const made = (): string => `${stage.repo.folder}.made`;
const copy = (from: string, to: string): void => void execFileSync("cp", ["-a", from, to]);

/** A commit, an edit and a new file; then the strange thing is done to the worktree. */
function makeStrange(kind: string): Treasure {
  const [agent, path] = [agentOf(kind), stage.worktree(agentOf(kind))];
  stage.repo.write(path, "own", `own work of ${agent}\n`);
  stage.repo.gitIn(path, "add", "own");
  stage.repo.gitIn(path, "commit", "-q", "-m", `by ${agent}`);
  stage.repo.write(path, "README", `edited by ${agent}\n`);
  stage.repo.write(path, "new", `new of ${agent}\n`);
  STRANGE[kind]?.[1](stage.repo, path, agent);
  return treasureOf(stage.repo, path, join(stage.root, ".git/worktrees", agent));
}

it.each(Object.entries(WAYS))("%s loses nothing, whatever a worktree has become", async (name, way) => {
  way.prepare?.();
  const ran = await way.run();
  const lost = [...treasures].flatMap(([kind, each]) => lostOf(stage.repo, each).map((what) => `${kind}: ${what}`));
  expect(lost).toEqual([]);
  for (const kind of KINDS) table.get(kind)?.set(name, isThere(kind) ? "stays" : "saved, gone");
  if (way.harmless) return;
  const wrong = Object.entries(STRANGE).filter(([kind, [wanted]]) => wanted === "stays" && !isThere(kind));
  expect(wrong.map(([kind]) => kind)).toEqual([]);
  expect(ran.out + ran.err).toContain("k0");
});

const isThere = (kind: string): boolean =>
  lstatSync(stage.worktree(agentOf(kind)), { throwIfNoEntry: false }) !== undefined;

function print(): void {
  const ways = Object.keys(WAYS);
  const width = Math.max(...KINDS.map((kind) => kind.length));
  const line = (first: string, cells: readonly string[]) =>
    [first.padEnd(width), ...cells.map((cell) => cell.padEnd(14))].join("  ").trimEnd();
  const rows = [...table].map(([kind, cells]) =>
    line(
      kind,
      ways.map((way) => cells.get(way) ?? "?"),
    ),
  );
  console.log([line("", ways), ...rows].join("\n"));
}

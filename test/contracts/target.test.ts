import { closeSync, existsSync, mkdirSync, openSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createHistory } from "../../src/adapters/git/history.ts";
import { createTarget } from "../../src/adapters/git/target.ts";
import { createCommand } from "../../src/adapters/process/command.ts";
import type { Branch, Commit, Instant } from "../../src/core/text/ids.ts";
import type { Command } from "../../src/ports/command.ts";
import type { History } from "../../src/ports/history.ts";
import type { Target } from "../../src/ports/target.ts";
import { FakeRepository } from "../fakes/fake-git.ts";
import { FakeHistory } from "../fakes/fake-history.ts";
import { FakeTarget } from "../fakes/fake-target.ts";
import { GIT_ENV, TempRepository } from "../git-repository.ts";

const MAIN = "main" as Branch;
const DATE = 1_700_000_000_000 as Instant;
const made: TempRepository[] = [];
afterEach(() => {
  for (const repo of made.splice(0)) repo.dispose();
});

interface Ground {
  readonly target: Target;
  readonly history: History;
  /** A branch with a commit of these files on top of another branch; null takes a file away. */
  branch(name: string, from: string, files: Readonly<Record<string, string | null>>): Commit;
  head(branch: string): Commit;
  /** What the main checkout, which has `main`, holds. */
  read(name: string): string | null;
  edit(name: string, text: string): void;
}

const START = { README: "hi\n", "a.txt": "a\n", "b.txt": "b\n" };

function fake(): Ground {
  const repo = new FakeRepository(START);
  return {
    target: new FakeTarget(repo),
    history: new FakeHistory(repo),
    branch(name, from, files) {
      const parent = repo.heads.get(from as Branch) as Commit;
      const tree: Record<string, string> = { ...repo.tree(parent) };
      for (const [path, text] of Object.entries(files)) {
        if (text === null) delete tree[path];
        else tree[path] = text;
      }
      const commit = repo.commit(tree, [parent]);
      repo.heads.set(name as Branch, commit);
      return commit;
    },
    head: (branch) => repo.heads.get(branch as Branch) as Commit,
    read: (name) => repo.checkout[name] ?? null,
    edit: (name, text) => void Object.assign(repo.checkout, { [name]: text }),
  };
}

function real(command: Command = createCommand("bm-target-test")): Ground & { readonly repo: TempRepository } {
  const repo = new TempRepository(START);
  made.push(repo);
  const commonDir = join(repo.root, ".git");
  return {
    repo,
    target: createTarget(command, { root: repo.root, commonDir }, GIT_ENV),
    history: createHistory(command, commonDir, GIT_ENV),
    branch(name, from, files) {
      const folder = join(repo.folder, "making");
      repo.git("worktree", "add", "-q", "-B", name, folder, from);
      for (const [path, text] of Object.entries(files)) {
        if (text === null) repo.remove(folder, path);
        else repo.write(folder, path, text);
      }
      const commit = repo.commit(folder, `Work of ${name}`);
      repo.git("worktree", "remove", "--force", folder);
      return commit as Commit;
    },
    head: (branch) => repo.git("rev-parse", branch) as Commit,
    read: (name) => repo.read(repo.root, name),
    edit: (name, text) => repo.write(repo.root, name, text),
  };
}

const replay = (ground: Ground, tip: Commit, onto: Commit, since: Commit | null = null) =>
  ground.target.replay({ tip, onto, since, date: DATE, name: "feat" });

async function land(ground: Ground, to: Commit, from = ground.head("main")) {
  const tree = await ground.history.treeOf(to);
  return ground.target.move({ branch: MAIN, from, to, tree, message: "banksman: land feat" });
}

describe.each<readonly [string, () => Ground]>([
  ["fake", fake],
  ["git", real],
])("Target and History (%s)", (_, make) => {
  it("takes the copy that is there of a generated file in conflict, and says so; then the file is made again", async () => {
    const ground = make();
    const a = ground.branch("a", "main", { "a.txt": "A\n", "b.txt": "of a\n" });
    const b = ground.branch("b", "main", { README: "B\n", "b.txt": "of b\n" });
    const order = { tip: b, onto: a, since: null, date: DATE, name: "b" };
    expect((await ground.target.replay(order)).how).toBe("conflict");
    const made = await ground.target.replay({ ...order, generated: (path) => path === "b.txt" });
    if (made.how !== "made") throw new Error(made.how);
    expect([made.kept, made.files]).toEqual([["b.txt"], ["README"]]);
    const read = async (commit: Commit) => Object.fromEntries(await ground.history.texts(commit, Object.keys(START)));
    expect(await read(made.commit)).toEqual({ README: "B\n", "a.txt": "A\n", "b.txt": "of a\n" });
    const texts = new Map([
      ["b.txt", "of both\n"],
      ["a.txt", null],
    ]);
    const again = { onto: made.commit, texts, date: DATE, message: "Make b.txt again" };
    const rewritten = await ground.target.rewrite(again);
    if (rewritten.how !== "made") throw new Error(rewritten.how);
    expect([...rewritten.files].sort()).toEqual(["a.txt", "b.txt"]);
    expect(await read(rewritten.commit)).toEqual({ README: "B\n", "b.txt": "of both\n" });
    expect(await ground.history.isContained(made.commit, rewritten.commit)).toBe(true);
    expect(await ground.target.rewrite({ ...again, onto: rewritten.commit })).toEqual({ how: "nothing" });
  });

  it("keeps nothing of its own where a generated file is all that a branch has", async () => {
    const ground = make();
    const a = ground.branch("a", "main", { "b.txt": "of a\n" });
    const b = ground.branch("b", "main", { "b.txt": "of b\n" });
    const made = await ground.target.replay({
      tip: b,
      onto: a,
      since: null,
      date: DATE,
      name: "b",
      generated: () => true,
    });
    expect(made).toMatchObject({ how: "made", tree: await ground.history.treeOf(a), kept: ["b.txt"], files: [] });
  });

  it("replays a branch onto another commit, and the same again for the same date", async () => {
    const ground = make();
    const a = ground.branch("a", "main", { "a.txt": "A\n" });
    const b = ground.branch("b", "main", { "b.txt": "B\n", "new.txt": "n\n" });
    const first = await replay(ground, b, a);
    if (first.how !== "made") throw new Error(first.how);
    expect([...first.files].sort()).toEqual(["b.txt", "new.txt"]);
    expect(await ground.history.paths(first.commit)).toEqual(["README", "a.txt", "b.txt", "new.txt"]);
    expect(await ground.history.treeOf(first.commit)).toBe(first.tree);
    expect(Object.fromEntries(await ground.history.texts(first.commit, ["a.txt", "b.txt", "new.txt"]))).toEqual({
      "a.txt": "A\n",
      "b.txt": "B\n",
      "new.txt": "n\n",
    });
    expect(await ground.history.isContained(a, first.commit)).toBe(true);
    expect(await replay(ground, b, a)).toEqual(first);
    expect(ground.head("b")).toBe(b);
  });

  it("leaves a branch as it is that stands there already, and finds nothing in one that is there", async () => {
    const ground = make();
    const a = ground.branch("a", "main", { "a.txt": "A\n" });
    expect(await replay(ground, a, ground.head("main"))).toMatchObject({ how: "made", commit: a, files: ["a.txt"] });
    expect(await replay(ground, ground.head("main"), a)).toEqual({ how: "nothing" });
    const same = ground.branch("same", "main", { "a.txt": "A\n" });
    expect(await replay(ground, same, a)).toEqual({ how: "nothing" });
  });

  it("says which files conflict", async () => {
    const ground = make();
    const a = ground.branch("a", "main", { "a.txt": "A\n" });
    const other = ground.branch("other", "main", { "a.txt": "other\n" });
    expect(await replay(ground, other, a)).toMatchObject({ how: "conflict", files: [{ path: "a.txt", line: 1 }] });
  });

  it("takes of a branch that has landed only what came after", async () => {
    const ground = make();
    const a = ground.branch("a", "main", { "a.txt": "A\n" });
    const main = ground.branch("elsewhere", "main", { "a.txt": "A\n", "b.txt": "B\n" });
    const later = ground.branch("a", "a", { "a.txt": "A\nmore\n" });
    const replayed = await replay(ground, later, main, a);
    expect(replayed).toMatchObject({ how: "made", files: ["a.txt"] });
  });

  it("takes back what was landed, and says where that conflicts with what came later", async () => {
    const ground = make();
    const from = ground.head("main");
    const to = ground.branch("a", "main", { "a.txt": "A\n", "new.txt": "n\n" });
    const onto = ground.branch("b", "a", { "b.txt": "B\n" });
    const order = { from, to, onto, date: DATE, message: "Revert a", ref: "refs/banksman/undo/a" };
    const made = await ground.target.revert(order);
    if (made.how !== "made") throw new Error(made.how);
    expect([...made.files].sort()).toEqual(["a.txt", "new.txt"]);
    const texts = await ground.history.texts(made.commit, ["a.txt", "b.txt", "new.txt"]);
    expect(Object.fromEntries(texts)).toEqual({ "a.txt": "a\n", "b.txt": "B\n" });
    const later = ground.branch("c", "a", { "a.txt": "A\nmore\n" });
    expect(await ground.target.revert({ ...order, onto: later })).toMatchObject({ how: "conflict" });
  });

  it("moves the branch and its checkout by compare-and-swap", async () => {
    const ground = make();
    const from = ground.head("main");
    const a = ground.branch("a", "main", { "a.txt": "A\n", "new.txt": "n\n", "b.txt": null });
    expect(await land(ground, a)).toEqual({ how: "moved" });
    expect([ground.head("main"), ground.read("a.txt"), ground.read("new.txt"), ground.read("b.txt")]).toEqual([
      a,
      "A\n",
      "n\n",
      null,
    ]);
    // Asked again, as after a crash.
    expect(await land(ground, a, from)).toEqual({ how: "moved" });
    const b = ground.branch("b", "main", { README: "B\n" });
    expect(await land(ground, b, from)).toEqual({ how: "moved-by-another" });
    expect(ground.head("main")).toBe(a);
  });

  it("leaves alone what a person has in files that the landing does not touch, and waits for the others", async () => {
    const ground = make();
    const a = ground.branch("a", "main", { "a.txt": "A\n" });
    ground.edit("b.txt", "mine\n");
    expect([await land(ground, a), ground.read("b.txt"), ground.read("a.txt")]).toEqual([
      { how: "moved" },
      "mine\n",
      "A\n",
    ]);
    const b = ground.branch("b", "main", { "b.txt": "B\n" });
    expect(await land(ground, b)).toMatchObject({ how: "refused", because: expect.stringContaining("b.txt") });
    expect([ground.head("main"), ground.read("b.txt")]).toEqual([a, "mine\n"]);
  });

  it("knows what changed, where histories part, and lines", async () => {
    const ground = make();
    const base = ground.head("main");
    const a = ground.branch("a", "main", { "a.txt": "a\nmore\n", "new.txt": "n\n", "b.txt": null });
    const { history } = ground;
    const changes = await history.changes(base, a);
    const those = changes.map(({ path, how, ids }) => [path, how, ids.map((id) => id !== "")]);
    expect(those).toEqual([
      ["a.txt", "changed", [true, true]],
      ["b.txt", "deleted", [true, false]],
      ["new.txt", "added", [false, true]],
    ]);
    expect(new Set(changes.flatMap(({ ids }) => ids)).size).toBe(5);
    const b = ground.branch("b", "main", { README: "b\n" });
    expect([
      await history.mergeBase(a, b),
      await history.isContained(base, a),
      await history.isContained(a, b),
    ]).toEqual([base, true, false]);
    expect(await history.lines(base, a, ["a.txt"])).toEqual([{ path: "a.txt", added: ["more"], removed: [] }]);
    expect([...(await history.ids(a, ["a.txt", "missing", "b.txt"])).keys()]).toEqual(["a.txt"]);
    expect([...(await history.graph([a, b], base))].sort()).toEqual(
      [
        [a, [base]],
        [b, [base]],
      ].sort(),
    );
    expect(await history.commitOf("nobody")).toBe(null);
    expect(await history.commitOf("a")).toBe(a);
  });
});

describe("a real target", () => {
  const status = ({ repo }: ReturnType<typeof real>, at = repo.root) => repo.gitIn(at, "status", "--porcelain");

  it("keeps authors, dates and messages, and has the user as committer", async () => {
    const ground = real();
    const { repo } = ground;
    repo.git("config", "user.name", "Ada");
    repo.git("config", "user.email", "ada@example.org");
    const a = ground.branch("a", "main", { "a.txt": "A\n" });
    repo.git("worktree", "add", "-q", "-b", "b", join(repo.folder, "w"), "main");
    const w = join(repo.folder, "w");
    repo.write(w, "one", "1\n");
    repo.gitIn(w, "add", "-A");
    repo.gitIn(
      w,
      "-c",
      "user.name=Zoë",
      "commit",
      "-q",
      "--author=Zoë <zoe@example.org>",
      "--date=2020-01-02T03:04:05+0100",
      "-m",
      "First line\n\nBody: ünïcode\n",
    );
    repo.write(w, "two", "2\n");
    const b = repo.commit(w, "Second") as Commit;
    const replayed = await replay(ground, b, a);
    if (replayed.how !== "made") throw new Error(replayed.how);
    const shown = repo.git(
      "log",
      "--format=%an <%ae> %ad|%cn <%ce> %ct|%s|%b",
      "--date=raw",
      `${a}..${replayed.commit}`,
    );
    expect(shown.split("\n").filter((line) => line !== "")).toEqual([
      expect.stringMatching(/^Tess .*\|Ada <ada@example\.org> 1700000000\|Second\|$/),
      "Zoë <zoe@example.org> 1577930645 +0100|Ada <ada@example.org> 1700000000|First line|Body: ünïcode",
    ]);
  });

  it("makes one commit of a branch with merges", async () => {
    const ground = real();
    const { repo } = ground;
    ground.branch("side", "main", { "side.txt": "s\n" });
    const w = join(repo.folder, "w");
    repo.git("worktree", "add", "-q", "-b", "m", w, "main");
    repo.write(w, "m.txt", "m\n");
    repo.commit(w, "Mine");
    repo.gitIn(w, "merge", "-q", "--no-ff", "-m", "Merge side", "side");
    const a = ground.branch("a", "main", { "a.txt": "A\n" });
    const replayed = await replay(ground, ground.head("m"), a);
    if (replayed.how !== "made") throw new Error(replayed.how);
    expect(repo.git("rev-list", "--count", "--merges", `${a}..${replayed.commit}`)).toBe("0");
    expect(repo.git("rev-list", "--count", `${a}..${replayed.commit}`)).toBe("1");
    expect([...replayed.files].sort()).toEqual(["m.txt", "side.txt"]);
  });

  it("holds what it made against a prune, until it is let go", async () => {
    const ground = real();
    const { repo } = ground;
    const a = ground.branch("a", "main", { "a.txt": "A\n" });
    const b = ground.branch("b", "main", { "b.txt": "B\n" });
    const replayed = await replay(ground, b, a);
    if (replayed.how !== "made") throw new Error(replayed.how);
    repo.git("gc", "-q", "--prune=now");
    expect(repo.git("cat-file", "-t", replayed.commit)).toBe("commit");
    await ground.target.release([replayed.commit]);
    expect(repo.git("for-each-ref", "refs/banksman/")).not.toBe("");
    await ground.target.release([]);
    expect(repo.git("for-each-ref", "refs/banksman/")).toBe("");
  });

  it("brings every checkout of the branch along, and `git commit -a` afterwards takes nothing back", async () => {
    const ground = real();
    const { repo } = ground;
    const other = join(repo.folder, "other");
    repo.git("worktree", "add", "-q", "--force", other, "main");
    repo.write(other, "README", "edited there\n");
    const a = ground.branch("a", "main", { "a.txt": "A\n", "deep/new.txt": "n\n" });
    expect(await land(ground, a)).toEqual({ how: "moved" });
    expect([status(ground), status(ground, other)]).toEqual(["", "M README"]);
    repo.gitIn(other, "commit", "-q", "-a", "-m", "Mine");
    expect(repo.git("show", "main:a.txt")).toBe("A");
    expect(repo.git("diff", "--stat", a, "main").split("\n")[0]).toMatch(/^ ?README/);
  });

  it.each<readonly [string, (ground: ReturnType<typeof real>) => void]>([
    ["an untracked file", ({ repo }) => repo.write(repo.root, "new.txt", "mine\n")],
    [
      "an ignored file",
      ({ repo }) => {
        repo.write(join(repo.root, ".git"), "info/exclude", "new.txt\n");
        repo.write(repo.root, "new.txt", "mine\n");
      },
    ],
    ["a file where a folder has to be", ({ repo }) => repo.write(repo.root, "deep", "mine\n")],
    [
      "a staged change",
      ({ repo }) => {
        repo.write(repo.root, "a.txt", "staged\n");
        repo.git("add", "a.txt");
        repo.write(repo.root, "a.txt", "a\n");
      },
    ],
    ["a deleted file", ({ repo }) => repo.remove(repo.root, "a.txt")],
    ["another git command at work", ({ repo }) => writeFileSync(join(repo.root, ".git/index.lock"), "")],
    [
      "a rebase under way",
      ({ repo }) => {
        mkdirSync(join(repo.root, ".git/rebase-merge"));
        writeFileSync(join(repo.root, ".git/rebase-merge/head-name"), "refs/heads/main\n");
      },
    ],
  ])("waits because of %s, and changes nothing", async (_, disturb) => {
    const ground = real();
    const { repo } = ground;
    const a = ground.branch("a", "main", { "a.txt": "A\n", "new.txt": "n\n", "deep/x.txt": "x\n" });
    disturb(ground);
    const before = [
      ground.head("main"),
      status(ground),
      repo.read(repo.root, "new.txt"),
      repo.read(repo.root, "a.txt"),
    ];
    expect(await land(ground, a)).toMatchObject({ how: "refused" });
    expect([
      ground.head("main"),
      status(ground),
      repo.read(repo.root, "new.txt"),
      repo.read(repo.root, "a.txt"),
    ]).toEqual(before);
  });

  it("takes a file that is there already, with the very content, for no obstacle", async () => {
    const ground = real();
    const a = ground.branch("a", "main", { "new.txt": "n\n" });
    ground.edit("new.txt", "n\n");
    expect([await land(ground, a), status(ground)]).toEqual([{ how: "moved" }, ""]);
  });

  it("sees an edit of the same size, made in the second in which git wrote its index", async () => {
    const ground = real();
    const { repo } = ground;
    const a = ground.branch("a", "main", { "a.txt": "A\n" });
    // The file's other times cannot be set; without them git goes by size and second, as it does within one second.
    repo.git("config", "core.trustctime", "false");
    const second = new Date(1_700_000_000_000);
    utimesSync(join(repo.root, "a.txt"), second, second);
    repo.git("update-index", "-q", "--refresh");
    ground.edit("a.txt", "m\n");
    utimesSync(join(repo.root, "a.txt"), second, second);
    utimesSync(join(repo.root, ".git", "index"), second, second);
    expect(await land(ground, a)).toEqual({ how: "refused", because: expect.stringContaining("a.txt") });
    expect(ground.read("a.txt")).toBe("m\n");
  });

  it("is held up by no lock that a killed git has left, and by one that somebody holds", async () => {
    const ground = real();
    const common = join(ground.repo.root, ".git");
    const a = ground.branch("a", "main", { "a.txt": "A\n" });
    const b = ground.branch("b", "main", { "b.txt": "B\n" });
    const first = await replay(ground, b, a);
    if (first.how !== "made") throw new Error(first.how);
    await ground.target.release([]);
    const others = ["a", "b", "main"].map((name) => `refs/banksman/staged/${ground.head(name)}`);
    for (const ref of others) ground.repo.git("update-ref", ref, "main");
    const locks = [
      ...others,
      `refs/banksman/staged/${first.commit}`,
      "refs/heads/main",
      "packed-refs",
      "index.banksman",
    ];
    const left = locks.map((name) => join(common, `${name}.lock`));
    for (const lock of left) {
      mkdirSync(dirname(lock), { recursive: true });
      writeFileSync(lock, "");
    }
    expect(await replay(ground, b, a)).toEqual(first);
    expect([await land(ground, a), await land(ground, first.commit)]).toEqual([{ how: "moved" }, { how: "moved" }]);
    await ground.target.release([]);
    expect(left.filter((lock) => existsSync(lock))).toEqual([]);

    const c = ground.branch("c", "main", { README: "C\n" });
    const held = openSync(join(common, "refs/heads/main.lock"), "wx");
    try {
      await expect(land(ground, c)).rejects.toMatchObject({ failure: { kind: "git.failed" } });
      expect([existsSync(join(common, "refs/heads/main.lock")), ground.read("README")]).toEqual([true, "hi\n"]);
    } finally {
      closeSync(held);
    }
    expect(await land(ground, c)).toEqual({ how: "moved" });
  });

  it("lands nothing but the tree that was tested", async () => {
    const ground = real();
    const a = ground.branch("a", "main", { "a.txt": "A\n" });
    const tree = await ground.history.treeOf(ground.head("main"));
    const order = { branch: MAIN, from: ground.head("main"), to: a, tree, message: "x" };
    await expect(ground.target.move(order)).rejects.toMatchObject({ failure: { kind: "internal" } });
    expect(ground.read("a.txt")).toBe("a\n");
  });

  it("killed after any of its git calls, it is finished by asking again; nothing of a person's is lost", async () => {
    for (let at = 1; ; at++) {
      let calls = 0;
      let dead = false;
      const inner = createCommand("bm-target-test");
      const mortal: Command = {
        async run(order) {
          if (dead) return new Promise(() => undefined);
          const result = await inner.run(order);
          if (++calls >= at) {
            dead = true;
            return new Promise(() => undefined);
          }
          return result;
        },
      };
      const ground = real();
      const { repo } = ground;
      const commonDir = join(repo.root, ".git");
      const from = ground.head("main");
      const a = ground.branch("a", "main", { "a.txt": "A\n", "new.txt": "n\n", "b.txt": null });
      ground.edit("README", "mine\n");
      const target = createTarget(mortal, { root: repo.root, commonDir }, GIT_ENV);
      const tree = await ground.history.treeOf(a);
      const order = { branch: MAIN, from, to: a, tree, message: "x" };
      const ended = await Promise.race([
        target.move(order),
        new Promise<"killed">((resolve) => {
          const look = () => (dead ? resolve("killed") : setImmediate(look));
          look();
        }),
      ]);
      if (ended !== "killed") {
        expect([ended, at > 10]).toEqual([{ how: "moved" }, true]);
        return;
      }
      expect(["main", [from, a].includes(ground.head("main"))]).toEqual(["main", true]);
      expect([at, await ground.target.move(order)]).toEqual([at, { how: "moved" }]);
      expect([at, status(ground), ground.read("README"), ground.read("a.txt")]).toEqual([
        at,
        "M README",
        "mine\n",
        "A\n",
      ]);
    }
  });

  it("killed in the middle, and somebody else moves the branch: what it did to the checkout is taken back", async () => {
    const ground = real();
    const { repo } = ground;
    const from = ground.head("main");
    const a = ground.branch("a", "main", { "a.txt": "A\n", "new.txt": "n\n", "b.txt": null });
    const pushed = ground.branch("pushed", "main", { README: "pushed\n" });
    const inner = createCommand("bm-target-test");
    let dead = false;
    const mortal: Command = {
      async run(order) {
        if (dead || order.argv.includes("update-ref")) {
          dead = true;
          return new Promise(() => undefined);
        }
        return inner.run(order);
      },
    };
    const target = createTarget(mortal, { root: repo.root, commonDir: join(repo.root, ".git") }, GIT_ENV);
    const order = { branch: MAIN, from, to: a, tree: await ground.history.treeOf(a), message: "x" };
    void target.move(order);
    await new Promise<void>((resolve) => {
      const look = () => (dead ? resolve() : setImmediate(look));
      look();
    });
    expect(ground.read("a.txt")).toBe("A\n");
    repo.git("update-ref", "refs/heads/main", pushed);
    expect(await ground.target.move(order)).toEqual({ how: "moved-by-another" });
    expect([ground.read("a.txt"), ground.read("new.txt"), ground.read("b.txt")]).toEqual(["a\n", null, "b\n"]);
    expect(repo.read(join(repo.root, ".git"), "index.lock")).toBe(null);
  });

  it("works without a checkout of the branch, in a bare repository too", async () => {
    const ground = real();
    const { repo } = ground;
    repo.git("checkout", "-q", "--detach");
    const a = ground.branch("a", "main", { "a.txt": "A\n" });
    expect([await land(ground, a), ground.read("a.txt")]).toEqual([{ how: "moved" }, "a\n"]);
  });

  it("pushes without force, and finds what was pushed meanwhile", async () => {
    const ground = real();
    const { repo } = ground;
    const bare = join(repo.folder, "origin.git");
    repo.git("clone", "-q", "--bare", ".", bare);
    repo.git("remote", "add", "origin", bare);
    repo.git("config", "protocol.file.allow", "always");
    repo.git("fetch", "-q", "origin");
    repo.git("branch", "-q", "--set-upstream-to=origin/main", "main");
    const { target } = ground;
    expect(await target.upstream(MAIN)).toEqual({
      name: "origin/main",
      commit: ground.head("main"),
      unreachable: null,
    });
    const a = ground.branch("a", "main", { "a.txt": "A\n" });
    expect([await target.push(MAIN, a), repo.gitIn(bare, "rev-parse", "main")]).toEqual([true, a]);
    const b = ground.branch("b", "main", { "b.txt": "B\n" });
    expect([await target.push(MAIN, b), repo.gitIn(bare, "rev-parse", "main")]).toEqual([false, a]);
    expect(await target.upstream(MAIN)).toMatchObject({ commit: a });
  });

  it("does not follow a link out of the checkout", async () => {
    const ground = real();
    const { repo } = ground;
    const outside = join(repo.folder, "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(repo.root, "deep"));
    const a = ground.branch("a", "main", { "deep/new.txt": "n\n" });
    expect(await land(ground, a)).toMatchObject({ how: "refused" });
    expect(repo.read(outside, "new.txt")).toBe(null);
  });

  it("takes nothing that has no commit in common with the target, nor names that meet but for their case", async () => {
    const ground = real();
    const onto = ground.head("main");
    const replayed = (tip: Commit) => ground.target.replay({ tip, onto, since: null, date: DATE, name: "x" });
    const alone = ground.repo.git("commit-tree", "-m", "alone", `${onto}^{tree}`) as Commit;
    await expect(replayed(alone)).rejects.toMatchObject({ failure: { kind: "land.unrelated" } });
    const meeting: Record<string, string>[] = [{ "A.txt": "x\n" }, { "c/d": "x\n", "C/e": "x\n" }];
    for (const [i, files] of meeting.entries())
      await expect(replayed(ground.branch(`case${i}`, "main", files))).rejects.toMatchObject({
        failure: { kind: "land.collision" },
      });
    // Renamed, so that there is one of them at a time.
    expect(await replayed(ground.branch("other", "main", { "a.txt": null, "A.txt": "a\n" }))).toMatchObject({
      how: "made",
    });
  });
});

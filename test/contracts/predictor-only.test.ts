import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createPredictor } from "../../src/adapters/git/predictor.ts";
import { createCommand } from "../../src/adapters/process/command.ts";
import type { Prediction } from "../../src/core/conflicts/prediction.ts";
import type { Commit } from "../../src/core/text/ids.ts";
import { GIT_ENV, TempRepository } from "../git-repository.ts";

/** What only real git can show: what is left behind, hostile configuration, attributes, states of an index. */
const repositories: TempRepository[] = [];
afterEach(() => {
  for (const repository of repositories.splice(0)) repository.dispose();
});

const LINES = Array.from({ length: 20 }, (_, i) => `${i + 1}\n`).join("");
const swap = (line: number, by: string, text = LINES) => text.replace(`${line}\n`, `${by}\n`);

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

function ground(files: Record<string, string> = { f: LINES }, env: NodeJS.ProcessEnv = {}, limitBytes?: number) {
  const repo = new TempRepository(files);
  repositories.push(repo);
  const place = {
    commonDir: join(repo.root, ".git"),
    quarantine: join(repo.folder, "quarantine"),
    ...(limitBytes !== undefined && { limitBytes }),
  };
  const predictor = createPredictor(createCommand("bm-test.command"), place, { ...GIT_ENV, ...env });
  const [a, b] = [join(repo.folder, "a"), join(repo.folder, "b")];
  for (const [name, path] of Object.entries({ a, b })) repo.git("worktree", "add", "-q", "-b", name, path);
  const base = repo.git("rev-parse", "main") as Commit;
  const present = (path: string) => predictor.workCommit({ path, base, skip: [] });
  const predict = async (worktree: string | null = a) => {
    const [ours, theirs] = [(await present(a)).commit, (await present(b)).commit];
    return (await predictor.predict({ pairs: [{ ours, theirs }], worktree }))[0] as Prediction;
  };
  /** A file of a present, as git would give it out. */
  const held = (commit: Commit, name: string) => {
    const env = { ...GIT_ENV, GIT_OBJECT_DIRECTORY: predictor.store() };
    const shown = spawnSync("git", ["cat-file", "blob", `${commit}:${name}`], { cwd: repo.root, env });
    return shown.status === 0 ? shown.stdout.toString("utf8") : null;
  };
  return { repo, predictor, a, b, base, present, predict, held };
}

/** Everything below a folder: names and bytes. */
function everything(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const path = join(folder, name);
    try {
      found[name] = readFileSync(path, "latin1");
    } catch {
      found[name] = "";
    }
  }
  return found;
}

describe("leaves nothing behind", () => {
  it("in a repository with worktrees: no object, no ref, no index, no file", async () => {
    const { repo, predictor, a, b, predict } = ground({ f: LINES, g: "g\n" });
    repo.write(a, "f", swap(5, "five"));
    repo.gitIn(a, "add", "f");
    repo.write(a, "g", "edited\n");
    repo.write(a, "new", "n\n");
    repo.write(b, "f", swap(5, "FIVE"));
    repo.write(b, "new", "N\n");
    rmSync(join(b, "g"));
    const before = everything(repo.folder);
    expect((await predict()).files.map(({ path }) => path)).toEqual(["f", "g", "new"]);
    expect((await predict(null)).outcome).toBe("conflict");
    await predictor.close();
    expect(everything(repo.folder)).toEqual(before);
  });

  it("nor with an index in two parts, whose second one git would write beside the first", async () => {
    const { repo, predictor, a, predict } = ground();
    repo.git("config", "core.splitIndex", "true");
    repo.gitIn(a, "update-index", "--split-index");
    repo.write(a, "new", "n\n");
    const before = everything(repo.folder);
    expect((await predict()).outcome).toBe("disjoint");
    await predictor.close();
    expect(everything(repo.folder)).toEqual(before);
  });
});

describe("a present", () => {
  it("holds links, modes, odd names, and what took another's place", async () => {
    const { repo, a, present, held } = ground({ file: "f\n", "folder/x": "x\n", "d2/y": "y\n", run: "r\n" });
    rmSync(join(a, "file"));
    repo.write(a, "file/inside", "i\n");
    rmSync(join(a, "folder"), { recursive: true });
    repo.write(a, "folder", "now a file\n");
    rmSync(join(a, "d2"), { recursive: true });
    symlinkSync("../elsewhere", join(a, "d2"));
    chmodSync(join(a, "run"), 0o755);
    writeFileSync(Buffer.concat([Buffer.from(`${a}/`), Buffer.from('caf\xe9\n"x', "latin1")]), "odd\n");
    const { commit, changed } = await present(a);
    expect(["file/inside", "folder", "d2"].map((name) => held(commit, name))).toEqual([
      "i\n",
      "now a file\n",
      "../elsewhere",
    ]);
    expect(changed.map(({ path, how }) => `${how} ${path}`).sort()).toEqual([
      'added caf�\n"x',
      "added d2",
      "added file/inside",
      "added folder",
      "changed run",
      "removed d2/y",
      "removed file",
      "removed folder/x",
    ]);
    expect(changed.find(({ path }) => path === "run")?.content).toMatch(/^100755 /);
  });

  it("leaves out secrets, large new files, repositories without a commit, and what is ignored", async () => {
    const { repo, a, present, held } = ground({ ".gitignore": "ignored\n", "server.key": "old\n" });
    repo.write(a, ".env", "TOKEN=1\n");
    repo.write(a, "server.key", "new\n");
    repo.write(a, "ignored", "i\n");
    repo.write(a, "large", Buffer.alloc(5 * 1024 * 1024 + 1));
    mkdirSync(join(a, "nested"));
    repo.gitIn(join(a, "nested"), "init", "-q");
    const none = await present(a);
    expect([none.changed, [...none.skipped].sort()]).toEqual([[], [".env", "large", "server.key"]]);
    repo.write(a, "small", "s\n");
    const { commit } = await present(a);
    expect([held(commit, "server.key"), held(commit, "small"), held(commit, ".env")]).toEqual(["old\n", "s\n", null]);
  });

  it("is what would be committed: line ends converted, the user's own filters run", async () => {
    const { repo, a, present, held } = ground(
      { ".gitattributes": "*.up filter=up\n", "a.txt": "one\ntwo\n", "b.up": "low\n" },
      { GIT_CONFIG_GLOBAL: join("/tmp", `bm-global-${process.pid}`) },
    );
    const global = join("/tmp", `bm-global-${process.pid}`);
    writeFileSync(global, '[core]\n\tautocrlf = true\n\tsafecrlf = true\n[filter "up"]\n\tclean = tr A-Z a-z\n');
    try {
      repo.write(a, "a.txt", "one\r\ntwo\r\n");
      repo.write(a, "b.up", "HIGH\n");
      const { commit, changed } = await present(a);
      expect(changed.map(({ path }) => path)).toEqual(["b.up"]);
      expect(held(commit, "b.up")).toBe("high\n");
    } finally {
      rmSync(global);
    }
  });

  it("of a merge under way has both parents, so that it is not merged twice", async () => {
    const { repo, a, b, present, predict } = ground();
    repo.write(a, "f", swap(5, "five"));
    repo.commit(a, "five");
    repo.write(b, "f", swap(5, "FIVE"));
    repo.commit(b, "FIVE");
    spawnSync("git", ["merge", "b"], { cwd: a, env: GIT_ENV });
    expect(repo.read(a, "f")).toContain("<<<<<<<");
    expect((await present(a)).changed.map(({ path }) => path)).toEqual(["f"]);
    expect((await predict()).outcome).toBe("disjoint");
  });

  it("of a worktree without files yet, without an index, or without a commit", async () => {
    const { repo, a, base, present, held } = ground();
    const bare = join(repo.folder, "c");
    repo.git("worktree", "add", "-q", "--no-checkout", "-b", "c", bare);
    expect(await present(bare)).toMatchObject({ commit: base, changed: [] });
    repo.gitIn(a, "checkout", "-q", "--orphan", "fresh");
    repo.write(a, "new", "n\n");
    const orphan = await present(a);
    expect([orphan.head, held(orphan.commit, "new"), held(orphan.commit, "f")]).toEqual([null, "n\n", LINES]);
  });

  it("has a submodule as its commit", async () => {
    const { repo, a, b, present, predict } = ground();
    const inner = join(repo.folder, "inner");
    mkdirSync(inner);
    repo.gitIn(inner, "init", "-q");
    repo.write(inner, "x", "1\n");
    repo.commit(inner, "one");
    repo.gitIn(a, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "sub");
    repo.commit(a, "with a submodule");
    const first = await present(a);
    repo.write(join(a, "sub"), "x", "dirty\n");
    expect((await present(a)).commit).toBe(first.commit);
    repo.commit(join(a, "sub"), "two");
    const second = await present(a);
    expect(second.changed.find(({ path }) => path === "sub")?.content).toContain(
      repo.gitIn(join(a, "sub"), "rev-parse", "HEAD"),
    );
    repo.write(b, "sub", "a file\n");
    const { files } = await predict();
    expect(files.find(({ path }) => path === "sub")?.kind).toMatch(/submodule|type/);
  });

  it("sees an edit of the moment in which the index was written, of the same length", async () => {
    const { repo, a, present, held } = ground();
    const index = repo.gitIn(a, "rev-parse", "--path-format=absolute", "--git-path", "index");
    repo.git("config", "core.trustctime", "false");
    utimesSync(join(a, "f"), 1_700_000_000, 1_700_000_000);
    repo.gitIn(a, "update-index", "--refresh");
    utimesSync(index, 1_700_000_000, 1_700_000_000);
    repo.write(a, "f", swap(5, "V"));
    utimesSync(join(a, "f"), 1_700_000_000, 1_700_000_000);
    const { commit } = await present(a);
    expect(held(commit, "f")).toBe(swap(5, "V"));
  });

  it("is taken although a file goes while it is looked at", async () => {
    const { repo, a, present } = ground();
    const names = Array.from({ length: 40 }, (_, i) => `new-${i}`);
    for (const name of names) repo.write(a, name, "n\n");
    const taking = present(a);
    for (const name of names) setImmediate(() => renameSync(join(a, name), join(a, `${name}.moved`)));
    const { changed } = await taking;
    for (const { path } of changed) expect(path).toMatch(/^new-\d+(\.moved)?$/);
    expect((await present(a)).changed.map(({ path }) => path).sort()).toEqual(
      names.map((name) => `${name}.moved`).sort(),
    );
  });

  it("is a commit git takes for one, in a repository of either kind", async () => {
    const { repo } = ground();
    for (const format of ["sha1", "sha256"]) {
      const root = join(repo.folder, format);
      mkdirSync(root);
      repo.gitIn(root, "init", "-q", `--object-format=${format}`);
      repo.write(root, "f", "1\n");
      const base = repo.commit(root, "first") as Commit;
      repo.write(root, "f", "2\n");
      const place = { commonDir: join(root, ".git"), quarantine: join(repo.folder, `${format}-quarantine`) };
      const predictor = createPredictor(createCommand("bm-test.command"), place, GIT_ENV);
      const { commit } = await predictor.workCommit({ path: root, base, skip: [] });
      const env = { ...GIT_ENV, GIT_OBJECT_DIRECTORY: predictor.store() };
      const checked = spawnSync("git", ["fsck", "--strict", "--no-dangling", commit], {
        cwd: root,
        env,
        encoding: "utf8",
      });
      expect([format, checked.status, checked.stdout]).toEqual([format, 0, ""]);
      const [found] = await predictor.predict({ pairs: [{ ours: base, theirs: commit }], worktree: root });
      expect(found?.outcome).toBe("disjoint");
    }
  });

  it("refuses a folder that is no worktree of the repository", async () => {
    const { repo, present } = ground();
    mkdirSync(join(repo.folder, "plain"));
    for (const name of ["plain", "gone"])
      await expect(present(join(repo.folder, name))).rejects.toMatchObject({ failure: { kind: "worktree.occupied" } });
  });
});

describe("a prediction", () => {
  it("reads hunks of files that hold markers themselves, end in CRLF, or without a newline", async () => {
    const marked = "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\nd\n";
    const { repo, a, b, predict } = ground({ marked, crlf: "1\r\n2\r\n3\r\n", bare: "1\n2" });
    repo.write(a, "marked", marked.replace("=======", "ours").replace("d", "=======\nours"));
    repo.write(b, "marked", marked.replace("=======", "theirs").replace("d", "=======\ntheirs"));
    repo.write(a, "crlf", "1\r\nours\r\n3\r\n");
    repo.write(b, "crlf", "1\r\ntheirs\r\n3\r\n");
    repo.write(a, "bare", "1\nours");
    repo.write(b, "bare", "1\ntheirs");
    const { files } = await predict();
    expect(Object.fromEntries(files.map(({ path, hunks }) => [path, hunks]))).toEqual({
      bare: [{ line: 2, base: ["2"], ours: ["ours"], theirs: ["theirs"] }],
      crlf: [{ line: 2, base: ["2\r"], ours: ["ours\r"], theirs: ["theirs\r"] }],
      marked: [
        { line: 4, base: ["======="], ours: ["ours"], theirs: ["theirs"] },
        { line: 8, base: ["d"], ours: ["ours"], theirs: ["theirs"] },
      ],
    });
  });

  it("keeps the length of markers that the repository's attributes ask for", async () => {
    const { repo, a, b, predict } = ground({ ".gitattributes": "f conflict-marker-size=9\n", f: "0\n" });
    repo.write(a, "f", "=======\n");
    repo.write(b, "f", ">>>>>>>\n");
    expect((await predict()).files[0]?.hunks).toEqual([
      { line: 1, base: ["0"], ours: ["======="], theirs: [">>>>>>>"] },
    ]);
  });

  it("names renamed, binary and misplaced files by the path people know", async () => {
    const { repo, a, b, predict } = ground({ "old name": LINES, bin: "a\0b", "d/x": LINES, gone: LINES });
    renameSync(join(a, "old name"), join(a, "new name"));
    repo.write(a, "new name", swap(5, "five"));
    repo.write(b, "old name", swap(5, "FIVE"));
    repo.write(a, "bin", "a\0c");
    repo.write(b, "bin", "a\0d");
    repo.write(a, "place", "a file\n");
    repo.write(b, "place/inside", "i\n");
    renameSync(join(a, "gone"), join(a, "kept"));
    rmSync(join(b, "gone"));
    const { files } = await predict();
    expect(files.map(({ path, kind, hunks }) => [path, kind, hunks.length])).toEqual([
      ["bin", "binary", 0],
      ["kept", "rename/delete", 0],
      ["new name", "content", 1],
      ["place", "directory/file", 0],
    ]);
  });

  it("follows the attributes of the worktree it is made in, or of the commit", async () => {
    for (const place of [".gitattributes", "deep/.gitattributes"]) {
      const { repo, a, b, predict } = ground({ "deep/list": "1\n", f: "0\n" });
      repo.write(a, place, "list merge=union\n");
      repo.commit(a, "attributes");
      repo.write(a, "deep/list", "1\n2\n");
      repo.write(b, "deep/list", "1\n3\n");
      expect([(await predict(a)).outcome, (await predict(null)).outcome]).toEqual(["same-file", "same-file"]);
      expect((await predict(b)).outcome).toBe("conflict");
    }
  });

  it("knows of plain refs what the main checkout's submodules know", async () => {
    const { repo, predictor } = ground();
    const inner = join(repo.folder, "inner");
    mkdirSync(inner);
    repo.gitIn(inner, "init", "-q");
    const commits = ["1", "2", "3"].map((text) => {
      repo.write(inner, "x", text);
      return repo.commit(inner, text);
    });
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "sub");
    const at = (branch: string, commit: number) => {
      repo.git("switch", "-q", "-c", branch);
      repo.gitIn(join(repo.root, "sub"), "checkout", "-q", commits[commit] as string);
      return repo.commit(repo.root, branch) as Commit;
    };
    const first = at("first", 0);
    const second = at("second", 1);
    repo.git("switch", "-q", "--detach", first);
    const third = at("third", 2);
    const [found] = await predictor.predict({ pairs: [{ ours: second, theirs: third }], worktree: null });
    expect(found?.outcome).toBe("disjoint");
  });

  it("merges what has no history in common as if everything were new", async () => {
    const { repo, predictor, base, present, a } = ground();
    repo.gitIn(a, "checkout", "-q", "--orphan", "fresh");
    repo.write(a, "f", "another\n");
    const { commit } = await present(a);
    const [found] = await predictor.predict({ pairs: [{ ours: base, theirs: commit }], worktree: null });
    expect(found?.files.map(({ path, kind }) => [path, kind])).toEqual([["f", "add/add"]]);
  });

  it("keeps within bounds: a huge file is named, and not looked into", async () => {
    const huge = `${"x".repeat(99)}\n`.repeat(20_000);
    const { repo, a, b, predict } = ground({ huge });
    repo.write(a, "huge", `ours\n${huge}`);
    repo.write(b, "huge", `theirs\n${huge}`);
    expect((await predict()).files).toEqual([{ path: "huge", kind: "content", hunks: [], cut: true }]);
  });

  it("rejects what cannot be merged, and does not call it clean", async () => {
    const { predictor, base, a } = ground();
    const pairs = [{ ours: base, theirs: "0123456789012345678901234567890123456789" as Commit }];
    await expect(predictor.predict({ pairs, worktree: a })).rejects.toMatchObject({ failure: { kind: "git.failed" } });
  });

  it("goes pair by pair with a git that cannot do many at once (2.38)", async () => {
    const old = ground();
    const bin = join(old.repo.folder, "bin");
    const real = spawnSync("sh", ["-c", "command -v git"], { env: GIT_ENV, encoding: "utf8" }).stdout.trim();
    old.repo.write(bin, "git", `#!/bin/sh\ncase "$*" in *--stdin*-z*--messages*) exit 129;; esac\nexec ${real} "$@"\n`);
    chmodSync(join(bin, "git"), 0o755);
    const { repo, predictor, a, b, present, base } = ground(undefined, { PATH: `${bin}:${GIT_ENV.PATH}` });
    repo.write(a, "f", swap(5, "five"));
    repo.write(b, "f", swap(5, "FIVE"));
    const [ours, theirs] = [(await present(a)).commit, (await present(b)).commit];
    const pairs = [
      { ours, theirs },
      { ours, theirs: base },
    ];
    const found = await predictor.predict({ pairs, worktree: a });
    expect(found.map(({ outcome }) => outcome)).toEqual(["conflict", "disjoint"]);
    expect(found[0]?.files[0]?.hunks).toHaveLength(1);
  });
});

describe("the quarantine", () => {
  it("is made anew over its limit, under another name; what was taken last still merges", async () => {
    const { repo, predictor, a, b, present } = ground(undefined, {}, 300_000);
    const noise = () => Array.from({ length: 3_000 }, () => Math.random().toString(36)).join("\n");
    repo.write(b, "f", swap(5, "FIVE"));
    const theirs = await present(b);
    let ours = await present(a);
    while (ours.store === theirs.store) {
      repo.write(a, "noise", noise());
      repo.write(a, "f", swap(5, Math.random().toString(36)));
      ours = await present(a);
    }
    const pairs = [{ ours: ours.commit, theirs: theirs.commit }];
    expect((await predictor.predict({ pairs, worktree: a }))[0]?.outcome).toBe("conflict");
    const stores = readdirSync(join(repo.folder, "quarantine")).filter((name) => /^\d+$/.test(name));
    expect(stores.length).toBeLessThanOrEqual(2);
  });

  it("stays within its limit however often it is made anew, but for what one call writes", async () => {
    const limit = 2_000_000;
    const { repo, a, present } = ground(undefined, {}, limit);
    const folder = join(repo.folder, "quarantine");
    let largest = 0;
    for (let i = 0; i < 60; i++) {
      repo.write(a, "noise", randomBytes(150_000).toString("base64"));
      await present(a);
      largest = Math.max(largest, bytesIn(folder));
    }
    expect(largest).toBeGreaterThan(limit / 2);
    expect(largest).toBeLessThan(limit + 2 * 250_000);
  });
});

describe("hostile repositories", () => {
  it("run nothing: filters, merge drivers, hooks, fsmonitor, fetches of what is missing", async () => {
    const { repo, predictor, a, b, predict } = ground({
      ".gitattributes": "* filter=evil merge=evil diff=evil\n",
      f: LINES,
    });
    const canary = join(repo.folder, "canary");
    const evil = `touch ${canary}; cat`;
    repo.write(a, "f", swap(5, "five"));
    repo.write(b, "f", swap(15, "fifteen"));
    for (const path of [a, b]) repo.commit(path, "work");
    repo.write(a, "new", "n\n");
    repo.git("config", "extensions.worktreeConfig", "true");
    for (const [key, value] of Object.entries({
      "filter.evil.clean": evil,
      "filter.evil.process": evil,
      "merge.evil.driver": evil,
      "merge.default": "evil",
      "core.fsmonitor": `${evil} #`,
      "core.sshCommand": `${evil} #`,
      "gpg.program": evil,
      "commit.gpgSign": "true",
      "remote.evil.url": "ssh://nowhere/x",
      "remote.evil.promisor": "true",
      "extensions.partialClone": "evil",
    })) {
      repo.git("config", key, value);
      repo.gitIn(a, "config", "--worktree", key, value);
    }
    repo.write(repo.root, ".git/hooks/post-index-change", `#!/bin/sh\ntouch ${canary}\n`);
    chmodSync(join(repo.root, ".git/hooks/post-index-change"), 0o755);
    rmSync(canary, { force: true });
    expect((await predict()).outcome).toBe("same-file");
    expect((await predict(null)).outcome).toBe("same-file");
    repo.write(b, "f", swap(5, "FIVE"));
    expect((await predict()).files[0]?.hunks).toEqual([{ line: 5, base: ["5"], ours: ["five"], theirs: ["FIVE"] }]);
    // A blob that is nowhere: git would ask the promised remote for it.
    repo.git("config", "--unset", "extensions.partialClone");
    for (const [key, value] of [
      ["filter.late.clean", evil],
      ["merge.late.driver", evil],
    ] as const)
      for (const each of ["--local", "--worktree"]) {
        // It was asked a moment ago; what is defined since does not run either.
        await predict();
        repo.write(a, ".gitattributes", "* filter=late merge=late\n");
        repo.gitIn(a, "config", each, key, value);
        await predict();
        repo.gitIn(a, "config", each, "--unset", key);
      }
    repo.write(repo.root, ".git/more", "");
    repo.git("config", "include.path", "more");
    await predict();
    repo.write(repo.root, ".git/more", `[filter "late"]\n\tclean = ${evil}\n[merge "late"]\n\tdriver = ${evil}\n`);
    await predict();
    repo.git("config", "extensions.partialClone", "evil");
    const missing = repo.gitFed("never written\n", "hash-object", "--stdin");
    const tree = repo.gitFed(`100644 blob ${missing}\tf\n`, "mktree", "--missing");
    const commit = repo.gitFed("x", "commit-tree", "-p", "main", tree) as Commit;
    const pairs = [{ ours: repo.git("rev-parse", "a") as Commit, theirs: commit }];
    await expect(predictor.predict({ pairs, worktree: a })).rejects.toMatchObject({ failure: { kind: "git.failed" } });
    expect(existsSync(canary)).toBe(false);
  });
});

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { createGit } from "../../src/adapters/git/git.ts";
import { createHistory } from "../../src/adapters/git/history.ts";
import { createIsAhead } from "../../src/adapters/git/is-ahead.ts";
import { locate } from "../../src/adapters/git/locate.ts";
import { createFilesObserver } from "../../src/adapters/git/observe-files.ts";
import { ownHooks } from "../../src/adapters/git/own-hooks.ts";
import { createPredictor } from "../../src/adapters/git/predictor.ts";
import { createRepositoryReader } from "../../src/adapters/git/repository-reader.ts";
import { createSlots } from "../../src/adapters/git/slots.ts";
import { createTarget } from "../../src/adapters/git/target.ts";
import { createCommand } from "../../src/adapters/process/command.ts";
import { systemFiles } from "../../src/adapters/system/files.ts";
import { requireGit, requireGitFolder } from "../../src/cli/repository.ts";
import type { Branch, Commit, Instant } from "../../src/core/text/ids.ts";
import type { Command, CommandOrder } from "../../src/ports/command.ts";
import type { Target } from "../../src/ports/target.ts";
import { GIT_ENV, TempRepository } from "../git-repository.ts";
import { type Bait, PLACES, type PlaceName, plant } from "./planted.ts";

const A = "feat/a" as Branch;
const OLD = "feat/old" as Branch;
const LOST = "feat/lost" as Branch;
const MAIN = "main" as Branch;
const EVIL = "* filter=evil diff=evil merge=evil\n";
const HOOKS = [
  ...["post-checkout", "pre-commit", "pre-rebase", "post-rewrite", "post-index-change", "reference-transaction"],
  ...["post-merge", "pre-auto-gc", "fsmonitor-watchman", "pre-push", "commit-msg", "post-commit", "prepare-commit-msg"],
];

/**
 * A repository with two worktrees, a submodule and a nested repository, in which one setting is planted in all four
 * places; and a way to make every git call of ours there. Calls may fail, but not run anything.
 */
export class PlantedGround {
  readonly repo = new TempRepository({ ".gitattributes": EVIL, f: "0\n1\n2\n3\n4\n", "docs/d.md": "d\n" });
  readonly orders: CommandOrder[] = [];
  private readonly marks = join(this.repo.folder, "marks");
  private readonly env: NodeJS.ProcessEnv;
  private readonly path = join(this.repo.root, ".banksman/worktrees/feat-a");
  private readonly command: Command;

  /** `loosen` changes each call before it is made: what happens without our precautions. */
  constructor(
    private readonly keys: readonly string[],
    private readonly server: string,
    loosen: (order: CommandOrder) => CommandOrder = (order) => order,
  ) {
    mkdirSync(this.marks);
    const global = join(this.repo.folder, "gitconfig");
    // As loose as a user may have it: a call that is not careful reaches everything.
    writeFileSync(global, '[protocol "file"]\n\tallow = always\n[user]\n\tname = Tess\n\temail = t@example.org\n');
    this.env = { ...GIT_ENV, GIT_CONFIG_GLOBAL: global, SSH_AUTH_SOCK: "/nonexistent/agent" };
    const real = createCommand("bm-test.command");
    this.command = {
      run: (order) => {
        this.orders.push(order);
        return real.run(loosen(order));
      },
    };
    this.prepare();
  }

  /** What has run, by the place that named it. */
  ran(): string[] {
    const marks = readdirSync(this.marks).sort();
    const moved = PLACES.filter(
      (place) => readFileSync(join(this.bait(place).elsewhere, "f"), "utf8") !== "untouched\n",
    );
    return [...marks, ...moved];
  }

  dispose(): void {
    this.repo.dispose();
  }

  private prepare(): void {
    const { repo } = this;
    const library = join(repo.folder, "library");
    mkdirSync(library);
    repo.gitIn(library, "init", "-q", "-b", "main");
    repo.write(library, ".gitattributes", EVIL);
    repo.write(library, "f", "library\n");
    repo.commit(library, "library");
    repo.gitIn(library, "branch", "feat/b");
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "--name", "sub", library, "sub");
    repo.commit(repo.root, "with a submodule");
    repo.git("config", "extensions.worktreeConfig", "true");
    // Main has an upstream, where what lands may be pushed to.
    const upstream = join(repo.folder, "upstream.git");
    repo.git("init", "-q", "--bare", "-b", "main", upstream);
    repo.git("remote", "add", "upstream", upstream);
    repo.git("push", "-q", "upstream", "main");
    for (const [key, value] of [
      ["remote", "upstream"],
      ["merge", "refs/heads/main"],
    ] as const)
      repo.git("config", `branch.main.${key}`, value);
    repo.git("branch", OLD);
    // A signature that somebody would have to check.
    const tree = repo.git("rev-parse", "HEAD^{tree}");
    const who = "Tess <t@example.org> 1700000000 +0000";
    const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----";
    const head = repo.git("rev-parse", "HEAD");
    const signed = `tree ${tree}\nparent ${head}\nauthor ${who}\ncommitter ${who}\n${signature}\n\nsigned\n`;
    repo.git("update-ref", `refs/heads/${A}`, repo.gitFed(signed, "hash-object", "-t", "commit", "-w", "--stdin"));
    repo.write(repo.root, "f", "0\n1\n2\n3\nmain\n");
    repo.commit(repo.root, "main goes on");
    // A commit whose tree nobody else has.
    const blob = repo.gitFed("only here\n", "hash-object", "-w", "--stdin");
    const lone = repo.gitFed(`100644 blob ${blob}\tlone\n`, "mktree");
    repo.git("update-ref", `refs/heads/${LOST}`, repo.git("commit-tree", "-p", "HEAD", "-m", "lost", lone));
    repo.git("worktree", "add", "-q", "--lock", "--reason", "banksman", this.path, A);
    repo.gitIn(this.path, "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init");
    repo.write(this.path, "f", "a\n1\n2\n3\n4\n");
    repo.commit(this.path, "work of a");
    const nested = join(this.path, "nested");
    mkdirSync(nested);
    repo.gitIn(nested, "init", "-q", "-b", "main");
    repo.write(nested, ".gitattributes", EVIL);
    repo.write(nested, "f", "nested\n");
    repo.commit(nested, "nested");
    repo.gitIn(this.path, "add", "nested");
    repo.gitIn(this.path, "commit", "-q", "-m", "with a nested repository");
    this.plantAll();
    for (const folder of [this.path, join(this.path, "sub"), nested, repo.root]) {
      repo.write(folder, "f", `edited in ${folder}\n`);
      repo.write(folder, "new", "n\n");
      // With this time git cannot take it for unchanged: it has to read it, through its filter.
      utimesSync(join(folder, ".gitattributes"), 1_000, 1_000);
    }
  }

  private plantAll(): void {
    for (const place of PLACES) {
      const plants = this.keys.map((key) => plant(key, this.bait(place), place));
      const [folder, flag] = this.configOf(place);
      for (const [key, value] of plants.flatMap(({ settings }) => settings))
        this.repo.gitIn(folder, "config", flag, "--add", key, value);
      if (plants.some(({ missing }) => missing))
        this.lose(place === "repository" || place === "worktree" ? this.repo.root : folder);
    }
  }

  /** Takes away a tree that git will need. */
  private lose(folder: string): void {
    const name = folder === this.repo.root ? LOST : "HEAD";
    const bare = (...args: string[]) =>
      execFileSync("git", args, {
        cwd: folder,
        env: { ...GIT_ENV, GIT_ALLOW_PROTOCOL: "\n" },
        stdio: "pipe",
        encoding: "utf8",
      });
    const tree = /^tree (\w+)/.exec(bare("cat-file", "commit", name))?.[1] ?? "";
    const objects = bare("rev-parse", "--path-format=absolute", "--git-path", "objects").trim();
    rmSync(join(objects, tree.slice(0, 2), tree.slice(2)), { force: true });
  }

  private configOf(place: PlaceName): readonly [folder: string, flag: string] {
    if (place === "repository") return [this.repo.root, "--local"];
    if (place === "worktree") return [this.path, "--worktree"];
    return [join(this.path, place === "nested" ? "nested" : "sub"), "--local"];
  }

  private bait(place: PlaceName): Bait {
    const folder = join(this.repo.folder, `bait-${place}`);
    const at = (name: string) => join(folder, name);
    const bait: Bait = {
      program: at("program"),
      hooks: at("hooks"),
      template: at("template"),
      included: at("included"),
      elsewhere: at("elsewhere"),
      server: this.server,
      remote: join(this.repo.folder, "library"),
    };
    if (existsSync(folder)) return bait;
    for (const name of ["hooks", "template/hooks", "elsewhere"]) mkdirSync(at(name), { recursive: true });
    writeFileSync(bait.program, `#!/bin/sh\n: > ${join(this.marks, place)}\n`);
    chmodSync(bait.program, 0o755);
    for (const hook of HOOKS)
      for (const home of [bait.hooks, at("template/hooks")]) {
        writeFileSync(join(home, hook), readFileSync(bait.program));
        chmodSync(join(home, hook), 0o755);
      }
    const config = `[filter "evil"]\n\tclean = ${bait.program}\n\tsmudge = ${bait.program}\n[core]\n\tfsmonitor = ${bait.program}\n`;
    writeFileSync(bait.included, config);
    writeFileSync(at("template/config"), config);
    writeFileSync(join(bait.elsewhere, "f"), "untouched\n");
    return bait;
  }

  /** Every call there is, as the program makes it. Answers with what those said that failed. */
  async callAll(): Promise<string[]> {
    const place = locate(this.repo.root);
    if (place === null) throw new Error("not located");
    const { path, command, env } = this;
    const excludes = join(this.repo.folder, "excludes");
    const git = createGit(command, place, env, excludes);
    const quarantine = join(this.repo.folder, "quarantine");
    const limited = { commonDir: place.commonDir, quarantine, excludes, limitBytes: 1 };
    const predictor = createPredictor(command, limited, env);
    const reader = createRepositoryReader(command, place, env, systemFiles);
    const history = createHistory(command, place.commonDir, env);
    const slots = createSlots(command, { folder: join(this.repo.folder, "slots"), commonDir: place.commonDir }, env);
    const target = createTarget(command, place, env);
    const io = { cwd: this.repo.root, env } as Parameters<typeof requireGit>[0];
    const tip = (name: string) => this.repo.git("rev-parse", name) as Commit;
    const [main, a, old, lost] = [MAIN, A, OLD, LOST].map(tip) as [Commit, Commit, Commit, Commit];
    const at = (name: string) => join(this.repo.root, ".banksman/worktrees", name);
    const pairs = [
      { ours: a, theirs: main },
      { ours: a, theirs: lost },
    ];
    const order = {
      path,
      branch: A,
      base: MAIN,
      branchStays: false,
      ref: "refs/banksman/backup/feat-a/1",
      at: 1 as Instant,
    };
    const goes = (name: string, branch: Branch) => ({ ...order, path: at(name), branch, ref: `${order.ref}-${name}` });
    const lay = { commit: main, base: { branch: MAIN, commit: main } };
    const replay = { tip: a, onto: main, since: null, date: 1_700_000_000_000 as Instant, name: A };
    const saving = (branch: Branch) => ({ ref: `refs/banksman/backup/rebase/${branch}`, at: 1 as Instant });
    const failed: string[] = [];
    const call = (work: () => Promise<unknown>): Promise<unknown> =>
      work().catch((error: Error) => failed.push(error.message));

    for (const work of [
      () => requireGit(io),
      () => requireGitFolder(io),
      () => ownHooks(command, place, env),
      () => git.head(),
      () => git.branches(),
      () => git.remoteBranches(),
      () => git.worktrees(),
      () => git.hide(["/.env"]),
      () => git.dirtyFiles(this.repo.root),
      () => git.dirtyFiles(path),
      () => git.work(path),
      () => git.work(path, ["f"]),
      () => git.work(this.repo.root),
      () => git.commitsSince(old, a, MAIN),
      () => git.commitsSince(null, lost, MAIN),
      () => git.unsaved({ path, branch: A, base: MAIN, branchStays: false }),
      () => git.unsaved({ path, branch: A, base: "gone" as Branch, branchStays: false }),
      () => predictor.commitOf("main"),
      () => predictor.workCommit({ path, base: main, skip: [] }),
      () => predictor.predict({ pairs: pairs.slice(0, 1), worktree: path }),
      () => predictor.predict({ pairs: pairs.slice(0, 1), worktree: null }),
      () => predictor.predict({ pairs, worktree: path }),
      () => predictor.close(),
      () => reader.list("", 100),
      () => reader.search("edited", "", 100),
      () => reader.branches(),
      () => reader.commits("main", 10),
      () => reader.commits("feat/a", 10),
      () => reader.diff("feat/a", "main", 10_000),
      () => reader.diff("feat/lost", "main", 10_000),
      () => createIsAhead(command, place, env)("feat/lost"),
      () => createFilesObserver(command, place.commonDir, env)(path, ["main"]),
      () => git.fillSubmodules(path, A),
      // What is verified and landed: commits as they are, slots, and the branch that is checked out.
      () => history.commitOf("feat/a"),
      () => history.treeOf(a),
      () => history.isContained(old, a),
      () => history.mergeBase(main, a),
      () => history.graph([a, old], main),
      () => history.changes(old, a),
      () => history.changes(old, lost),
      () => history.ids(a, ["f", "docs"]),
      () => history.texts(a, ["f", ".gitattributes"]),
      () => history.lines(old, a, ["f"]),
      () => slots.lay(0, lay),
      () => slots.lay(0, { ...lay, commit: lost }),
      async () => slots.putBack(0, this.repo.git("rev-parse", `${old}^{tree}`)),
      () => slots.keep(0, "key"),
      () => slots.bring(0, "key"),
      () => target.replay(replay),
      () => target.replay({ ...replay, tip: lost }),
      () =>
        target.revert({
          from: old,
          to: main,
          onto: main,
          date: 1_700_000_000_000 as Instant,
          message: "m",
          ref: "refs/banksman/undo/x",
        }),
      () => target.release([]),
      () => target.upstream(MAIN),
      () => target.push(MAIN, main),
      () => this.move(target, main),
      // New worktrees; one of a branch that is rebased; one whose tree may be missing.
      () => git.ensureBranch("feat/b" as Branch, main),
      () => git.addWorktree(at("feat-b"), "feat/b" as Branch),
      () => git.fillWorktree(at("feat-b")),
      () => git.fillSubmodules(at("feat-b"), "feat/b" as Branch),
      () => git.addWorktree(at("feat-old"), OLD),
      () => git.fillWorktree(at("feat-old")),
      () => this.workOn(at("feat-old")),
      () => git.rebase({ path: at("feat-old"), branch: OLD, onto: MAIN, save: saving(OLD) }),
      () => git.addWorktree(at("feat-lost"), LOST),
      () => git.fillWorktree(at("feat-lost")),
      () => git.save(order),
      () => this.emptyOut(),
      () => git.rebase({ path, branch: A, onto: MAIN, save: saving(A) }),
      () => this.stage(),
      async () => git.removeWorktree(path, await git.save(order)),
      () => git.backups(),
      () => git.releaseWorktree(at("feat-b")),
      async () => git.removeWorktree(at("feat-b"), await git.save(goes("feat-b", "feat/b" as Branch))),
      () => git.deleteBranch("feat/b" as Branch, main),
      // One whose folder is gone; one that a power cut has emptied.
      () => this.takeFolder(at("feat-old")),
      () => git.addWorktree(at("feat-old"), OLD),
      () => git.fillWorktree(at("feat-old")),
      () => this.cutPower(at("feat-old")),
      () => git.mendWorktree({ path: at("feat-old"), branch: OLD, from: old, used: true }),
      () => git.clearLocks(at("feat-old"), OLD),
      () => git.restore({ ref: order.ref, path: at("again"), branch: "feat/again" as Branch }),
    ])
      await call(work);
    return failed;
  }

  /** Main and its checkout onto a commit that changes a file there, and once more where something is in the way. */
  private async move(target: Target, from: Commit): Promise<void> {
    const { repo } = this;
    const blob = repo.gitFed("landed\n", "hash-object", "-w", "--stdin", "--no-filters");
    const rest = repo
      .git("ls-tree", from)
      .split("\n")
      .filter((line) => !line.endsWith("\tlanded"));
    const tree = repo.gitFed(`${[...rest, `100644 blob ${blob}\tlanded`].join("\n")}\n`, "mktree");
    const to = repo.git("commit-tree", "-p", from, "-m", "landed", tree) as Commit;
    await target.move({ branch: MAIN, from, to, tree, message: "banksman: land" });
    await target.move({ branch: MAIN, from, to, tree, message: "banksman: land" });
  }

  private async workOn(folder: string): Promise<void> {
    this.quietly(folder, "commit", "-q", "--allow-empty", "-m", "old work");
  }

  private async takeFolder(folder: string): Promise<void> {
    this.repo.write(folder, "staged", "s\n");
    this.quietly(folder, "add", "staged");
    rmSync(folder, { recursive: true });
  }

  private async cutPower(folder: string): Promise<void> {
    writeFileSync(join(folder, "f"), "");
    writeFileSync(join(this.repo.root, ".git/worktrees", basename(folder), "index"), "");
  }

  /** Without the repositories inside it a worktree can be saved, rebased and removed. */
  private async emptyOut(): Promise<void> {
    rmSync(join(this.path, "nested"), { recursive: true, force: true });
    this.quietly(this.path, "rm", "-q", "-r", "-f", "--cached", "nested", "sub");
    rmSync(join(this.path, "sub"), { recursive: true, force: true });
    rmSync(join(this.repo.root, ".git/worktrees/feat-a/modules"), { recursive: true, force: true });
    this.quietly(this.path, "add", "--all");
    this.quietly(this.path, "commit", "-q", "-m", "alone");
  }

  private async stage(): Promise<void> {
    this.repo.write(this.path, "f", "staged\n");
    this.quietly(this.path, "add", "f");
    this.repo.write(this.path, "f", "edited after\n");
    this.repo.write(this.path, ".gitignore", "hidden\n");
    this.repo.write(this.path, "hidden", "h\n");
  }

  /** The test's own git, for which nothing planted counts. */
  private quietly(cwd: string, ...args: string[]): void {
    const settings = {
      ...{
        "core.hooksPath": "/dev/null",
        "core.fsmonitor": "false",
        "commit.gpgSign": "false",
        "submodule.recurse": "false",
      },
      ...{
        "filter.evil.clean": "",
        "filter.evil.smudge": "",
        "filter.evil.process": "",
        "filter.evil.required": "false",
      },
      ...{
        "diff.ignoreSubmodules": "dirty",
        "core.editor": "false",
        "log.showSignature": "false",
        "hook.evil.enabled": "false",
      },
    };
    const options = Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
    const env = { ...GIT_ENV, GIT_ALLOW_PROTOCOL: "\n", GIT_WORK_TREE: cwd };
    try {
      execFileSync("git", [...options, ...args], { cwd, env, stdio: "pipe" });
    } catch {
      // With a broken repository the calls that follow are made as well.
    }
  }
}

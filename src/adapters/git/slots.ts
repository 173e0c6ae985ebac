import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Failed } from "../../core/failure/failed.ts";
import type { Command } from "../../ports/command.ts";
import type { LayOrder, SlotPlace, Slots } from "../../ports/slots.ts";
import { isText, readable } from "./bytes.ts";
import { copyIndex } from "./copy-index.ts";
import { contentProgramsIn, type TrustedPrograms, untrustedIn } from "./guard.ts";
import { removeWhole } from "./remove-whole.ts";
import { type GitCall, GitRunner, type Setting } from "./run.ts";

const CHECKOUT_TIMEOUT_MS = 10 * 60_000;
const COPY_TIMEOUT_MS = 10 * 60_000;
const MOST_KEPT = 3;

export interface SlotsPlace {
  /** Ours alone, in the user's state folder. */
  readonly folder: string;
  readonly commonDir: string;
  readonly trusted?: TrustedPrograms;
}

/** Slots in a folder of ours: `<n>/work` is a checkout, `<n>/index` what we know of it, `<n>/kept/<key>` what set-up left. */
export function createSlots(
  command: Command,
  { folder, commonDir, trusted }: SlotsPlace,
  env: NodeJS.ProcessEnv,
): Slots {
  const ours = new GitRunner(command, commonDir, env, { commonDir, ...(trusted && { trusted }) });
  const inSlot = (slot: number) => new Slot(command, commonDir, env, ours, join(folder, String(slot)), trusted);
  return {
    place: (slot) => inSlot(slot).place,
    lay: (slot, order) => inSlot(slot).lay(order),
    putBack: (slot, tree) => inSlot(slot).putBack(tree),
    keep: (slot, key) => inSlot(slot).keep(key),
    bring: (slot, key) => inSlot(slot).bring(key),
    clear: () => removeWhole(command, env, folder),
  };
}

class Slot {
  readonly place: SlotPlace;
  private readonly index: string;
  private readonly kept: string;

  constructor(
    private readonly command: Command,
    private readonly commonDir: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly ours: GitRunner,
    folder: string,
    private readonly trusted: TrustedPrograms = () => new Map(),
  ) {
    this.place = { folder: join(folder, "work"), home: join(folder, "home"), temporary: join(folder, "tmp") };
    this.index = join(folder, "index");
    this.kept = join(folder, "kept");
  }

  /** Once more from nothing where what a gate has left is in git's way. */
  async lay(order: LayOrder): Promise<void> {
    const settings = await this.filters();
    try {
      await this.layOver(order, settings);
    } catch (error) {
      if (error instanceof Failed && error.failure.kind === "disk.full") throw error;
      await removeWhole(this.command, this.env, this.place.folder);
      rmSync(this.index, { force: true });
      await this.layOver(order, settings);
    }
  }

  private async layOver(order: LayOrder, settings: readonly Setting[]): Promise<void> {
    try {
      await this.emptyFolders();
      this.layRepository(order);
    } catch (error) {
      throw asFailed(error, this.place.folder);
    }
    const git = this.git(settings);
    // Files of another candidate are only written again where they differ: their content was looked at when it ended.
    await git.run(["read-tree", "--reset", "-u", "--no-recurse-submodules", order.commit], {
      ...this.call(),
      timeoutMs: CHECKOUT_TIMEOUT_MS,
      reach: "content",
    });
    await this.refuseMalformed(git, order);
    await this.clean(git);
    await this.laySubmodules(git);
    copyIndex(this.index, join(this.place.folder, ".git", "index"));
  }

  /**
   * Against an index that knows of no file when it was written: every file is read. What is found unchanged by that is the
   * next candidate's beginning.
   */
  async putBack(tree: string): Promise<string[]> {
    // A gate that has filled the disk leaves no room to look at what it did.
    await this.empty(this.place.temporary);
    // What is gone, or has something else in its place, is not looked into: the next one lays it anew.
    const isThere = lstatSync(this.place.folder, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isThere || !existsSync(join(this.place.folder, ".git", "HEAD"))) return [".git"];
    const git = this.git(await this.filters());
    const fresh = `${this.index}.fresh`;
    rmSync(fresh, { force: true });
    const call = { ...this.call(), env: { ...this.call().env, GIT_INDEX_FILE: fresh }, timeoutMs: CHECKOUT_TIMEOUT_MS };
    await git.run(["read-tree", tree], call);
    await git.run(["update-index", "-q", "--really-refresh"], { ...call, answers: [1] });
    const changed = await git.names(["diff-files", "--name-only", "-z", "--ignore-submodules=all"], call);
    if (changed.length > 0) {
      const input = changed.map((name) => `${name}\0`).join("");
      await git.run(["checkout-index", "-f", "-q", "-u", "-z", "--stdin"], {
        ...call,
        input: Buffer.from(input, "latin1"),
      });
    }
    renameSync(fresh, this.index);
    return changed.map(readable);
  }

  async keep(key: string): Promise<void> {
    const [target, half] = [join(this.kept, key), join(this.kept, `${key}.half`)];
    if (existsSync(target)) return;
    rmSync(half, { recursive: true, force: true });
    mkdirSync(join(half, "work"), { recursive: true, mode: 0o700 });
    const git = this.git([]);
    const others = await git.names(["ls-files", "--others", "--directory", "-z"], this.call());
    // Entries at the top of what git does not track; a name that is no text cannot be an argument.
    for (const name of others.filter(isText).map((each) => readable(each).replace(/\/$/, "")))
      await this.copy(join(this.place.folder, name), join(half, "work", name));
    if (existsSync(this.place.home)) await this.copy(this.place.home, join(half, "home"));
    renameSync(half, target);
    this.forgetOldest();
  }

  async bring(key: string): Promise<boolean> {
    const source = join(this.kept, key);
    if (!existsSync(source)) return false;
    utimesSync(source, new Date(), new Date());
    await this.copy(`${join(source, "work")}/.`, this.place.folder);
    if (existsSync(join(source, "home"))) await this.copy(`${join(source, "home")}/.`, this.place.home);
    return true;
  }

  /** Clones blocks where the file system can, else copies: a gate that writes into them must not reach the original. */
  private async copy(from: string, to: string): Promise<void> {
    mkdirSync(join(to, ".."), { recursive: true, mode: 0o700 });
    const order = { cwd: this.commonDir, env: { PATH: this.env.PATH ?? "", LC_ALL: "C" }, timeoutMs: COPY_TIMEOUT_MS };
    let said = "";
    for (const how of [["-a", "--reflink=auto"], ["-a"]]) {
      const { code, stderr } = await this.command.run({ ...order, argv: ["cp", ...how, "--", from, to] });
      if (code === 0) return;
      said = stderr;
      if (!/reflink|illegal option|unrecognized/i.test(stderr)) break;
    }
    if (/No space left|quota exceeded/i.test(said)) throw new Failed({ kind: "disk.full", path: to });
    throw new Failed({ kind: "file.failed", path: to, detail: said.trim() });
  }

  private forgetOldest(): void {
    const names = readdirSync(this.kept).filter((name) => !name.endsWith(".half"));
    const aged = names.map((name) => ({ name, at: statSync(join(this.kept, name)).mtimeMs }));
    for (const { name } of aged.sort((a, b) => b.at - a.at).slice(MOST_KEPT))
      rmSync(join(this.kept, name), { recursive: true, force: true });
  }

  private async emptyFolders(): Promise<void> {
    for (const path of [this.place.home, this.place.temporary]) await this.empty(path);
    const { folder } = this.place;
    // Whoever put a link there would have everything behind it taken away.
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(folder, { force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  private async empty(path: string): Promise<void> {
    await removeWhole(this.command, this.env, path);
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }

  /** A tree that has a name twice cannot be checked out as it is: what was tested would not be what lands. */
  private async refuseMalformed(git: GitRunner, { commit }: LayOrder): Promise<void> {
    const [name] = await git.names(
      ["diff-index", "--cached", "-z", "--name-only", "--no-renames", commit],
      this.call(),
    );
    if (name === undefined) return;
    const detail = `the tree of ${commit.slice(0, 12)} is malformed at ${readable(name)}`;
    throw new Failed({ kind: "git.failed", command: "read-tree", detail });
  }

  /** Anew each time: whatever a gate did to it. Nothing in it names a program, and no ref of it is ours. */
  private layRepository({ commit, base, objects = [] }: LayOrder): void {
    const folder = join(this.place.folder, ".git");
    rmSync(folder, { recursive: true, force: true });
    for (const name of ["objects/info", "objects/pack", "refs/heads", "refs/tags"])
      mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
    const sha256 = commit.length > 40;
    const format = `repositoryformatversion = ${sha256 ? 1 : 0}\n\tfilemode = true\n\tbare = false`;
    writeFileSync(
      join(folder, "config"),
      `[core]\n\t${format}\n${sha256 ? "[extensions]\n\tobjectformat = sha256\n" : ""}`,
    );
    writeFileSync(join(folder, "HEAD"), `${commit}\n`);
    const alternates = [join(this.commonDir, "objects"), ...objects];
    writeFileSync(join(folder, "objects/info/alternates"), alternates.map((each) => `${each}\n`).join(""));
    const refs = [`refs/heads/${base.branch}`, `refs/remotes/origin/${base.branch}`];
    writeFileSync(
      join(folder, "packed-refs"),
      `# pack-refs with: peeled fully-peeled sorted \n${refs.map((ref) => `${base.commit} ${ref}\n`).join("")}`,
    );
  }

  /** Folders that may not be written to are made so first: a test suite leaves such things. */
  private async clean(git: GitRunner): Promise<void> {
    const args = ["clean", "-ffdxq"];
    const { code } = await git.run(args, { ...this.call(), answers: [1] });
    if (code === 0) return;
    const order = { cwd: this.place.folder, env: { PATH: this.env.PATH ?? "" }, timeoutMs: CHECKOUT_TIMEOUT_MS };
    const find = ["find", ".", "-path", "./.git", "-prune", "-o", "-type", "d", "-exec", "chmod", "u+rwx", "{}", "+"];
    await this.command.run({ ...order, argv: find });
    await git.run(args, this.call());
  }

  /** From what the repository has of them: nothing is fetched. */
  private async laySubmodules(git: GitRunner): Promise<void> {
    const staged = await git.names(["ls-files", "--stage", "-z"], this.call());
    for (const line of staged) {
      const [, commit, name] = /^160000 ([0-9a-f]+) \d\t(.*)$/s.exec(line) ?? [];
      if (commit === undefined || name === undefined) continue;
      const path = readable(name);
      const target = join(this.place.folder, path);
      const found = moduleWith(this.commonDir, path);
      const index = join(this.place.temporary, "module.index");
      const env = { GIT_DIR: found ?? "", GIT_INDEX_FILE: index, GIT_WORK_TREE: target };
      mkdirSync(target, { recursive: true });
      // Not by an archive: that leaves out what the submodule's attributes say.
      const read = ["read-tree", "--no-recurse-submodules", commit];
      const result = found === null ? null : await this.ours.run(read, { cwd: target, env, answers: [128] });
      if (result === null || result.code !== 0) throw new Failed({ kind: "gates.submodule", path, commit });
      await this.ours.run(["checkout-index", "--all", "--force", "--quiet"], {
        cwd: target,
        env,
        timeoutMs: CHECKOUT_TIMEOUT_MS,
      });
      rmSync(index, { force: true });
    }
  }

  /** The repository's own filters, as far as they are trusted, apply to its slots, too: otherwise files have other content. */
  private async filters(): Promise<Setting[]> {
    const found = await this.ours.programs();
    const untrusted = [...untrustedIn(found, this.trusted()).keys()].filter((key) => !key.startsWith("merge."));
    if (untrusted.length > 0) throw new Failed({ kind: "repository.filters", keys: untrusted });
    return [...contentProgramsIn(found)];
  }

  private git(settings: readonly Setting[]): GitRunner {
    return new GitRunner(this.command, this.place.folder, this.env, { settings: () => settings });
  }

  private call(): GitCall & { readonly env: Readonly<Record<string, string>> } {
    const { folder } = this.place;
    const env = { GIT_DIR: join(folder, ".git"), GIT_WORK_TREE: folder, GIT_INDEX_FILE: this.index };
    return { cwd: folder, env };
  }
}

/** Where git keeps a submodule's objects: by its name, which is its path unless somebody moved it. */
function moduleWith(commonDir: string, path: string): string | null {
  const folder = join(commonDir, "modules", path);
  return existsSync(join(folder, "HEAD")) ? folder : null;
}

function asFailed(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") return new Failed({ kind: "disk.full", path });
  return code === undefined ? error : new Failed({ kind: "file.failed", path, detail: message });
}

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Commit } from "../../core/text/ids.ts";
import type { GitRunner } from "./run.ts";

/** What trees, a commit and a result take of a disk at most, beside the content of files. */
const BYTES_PER_CALL = 64 * 1024;

/**
 * A folder for objects nobody but us needs, with the repository's as its alternate: git finds everything and writes
 * here. Made anew when it is over half its limit; the one before stays readable until the next time, so that nothing under
 * way loses its objects. The two together are within the limit, but for what the last call wrote.
 */
export class Quarantine {
  private generation = 0;
  /** At most as much as there is: measured only when it may be too much, since that means looking at every object. */
  private estimate = 0;
  private readonly half: number;
  private readonly last = new Map<string, { readonly key: string; readonly commit: Commit }>();

  constructor(
    readonly folder: string,
    private readonly repositoryObjects: string,
    limitBytes: number,
  ) {
    this.half = limitBytes / 2;
  }

  get store(): string {
    this.open();
    return join(this.folder, String(this.generation));
  }

  /** For every call that may write an object or read one of ours. */
  env() {
    return { GIT_OBJECT_DIRECTORY: this.store };
  }

  /** `bytes` of content, and `calls` that write trees and commits, are about to be written. */
  async makeRoom(git: GitRunner, bytes: number, calls = 1): Promise<void> {
    this.estimate += bytes + calls * BYTES_PER_CALL;
    if (this.estimate <= this.half) return;
    const { store } = this;
    const size = await this.measure(git);
    if (store !== this.store) return;
    this.estimate = size + bytes;
    if (this.estimate > this.half) this.renew(bytes);
  }

  private renew(bytes: number): void {
    const before = this.store;
    rmSync(join(this.folder, String(this.generation - 1)), { recursive: true, force: true });
    this.lay(before, [this.repositoryObjects]);
    this.generation++;
    this.estimate = bytes;
    this.lay(this.store, [this.repositoryObjects, before]);
  }

  /** A worktree that holds what it held last time is the same commit again, and its predictions stay. */
  sameAsLast(path: string, content: string, make: () => Commit): Commit {
    const key = `${this.store} ${content}`;
    const last = this.last.get(path);
    if (last?.key === key) return last.commit;
    const commit = make();
    this.last.set(path, { key, commit });
    return commit;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
    this.generation = 0;
  }

  private open(): void {
    if (this.generation > 0) return;
    // What a killed supervisor left is of no use: nobody knows its commits any more.
    rmSync(this.folder, { recursive: true, force: true });
    this.generation = 1;
    this.lay(this.store, [this.repositoryObjects]);
  }

  private lay(store: string, alternates: readonly string[]): void {
    for (const name of ["info", "pack"]) mkdirSync(join(store, name), { recursive: true, mode: 0o700 });
    writeFileSync(join(store, "info", "alternates"), alternates.map((each) => `${each}\n`).join(""));
  }

  private async measure(git: GitRunner): Promise<number> {
    const counted = await git.text(["count-objects", "-v"], { env: this.env() });
    const kilobytes = [...counted.matchAll(/^size(?:-pack)?: (\d+)$/gm)].map(([, size]) => Number(size));
    return kilobytes.reduce((sum, each) => sum + each, 0) * 1024;
  }
}

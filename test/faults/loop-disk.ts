import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const run = (program: string, ...args: string[]): void => void execFileSync(program, args, { stdio: "pipe" });

/** A small ext4 disk in a file, mounted; a copy of the file is the disk as a power cut leaves it. */
export class LoopDisk {
  private readonly home = realpathSync(mkdtempSync(join(tmpdir(), "bm-disk-")));
  private readonly image = join(this.home, "disk.img");
  readonly folder = join(this.home, "mounted");
  private mounted = false;
  private cuts = 0;

  constructor(megabytes: number) {
    mkdirSync(this.folder);
    process.on("exit", this.leave);
    run("truncate", "-s", `${megabytes}M`, this.image);
    run("mkfs.ext4", "-q", "-F", this.image);
    this.mount(this.image);
  }

  /** Only where the kernel and our rights allow it: not in most containers. */
  static isAllowed(): boolean {
    if (process.getuid?.() !== 0) return false;
    try {
      new LoopDisk(4).dispose();
      return true;
    } catch {
      return false;
    }
  }

  /** Everything that was written is on disk. */
  sync(): void {
    run("sync", "-f", this.folder);
  }

  /**
   * The disk at this moment, as a file. What the kernel has not written yet is not in it. Copied again where it was
   * written to meanwhile: no power cut leaves one half of before and one half of after.
   */
  cut(): string {
    const copy = join(this.home, `cut-${++this.cuts}.img`);
    for (;;) {
      const before = statSync(this.image, { bigint: true }).mtimeNs;
      // The file's times tick a few milliseconds apart: what was written a moment ago may be written again unseen.
      if (BigInt(Date.now()) * 1_000_000n - before < 20_000_000n) continue;
      run("cp", "--sparse=always", this.image, copy);
      if (statSync(this.image, { bigint: true }).mtimeNs === before) return copy;
    }
  }

  /** From now on this is the disk. Nothing may be in use there. */
  swap(copy: string): void {
    this.unmount();
    this.mount(copy);
  }

  dispose(): void {
    this.unmount();
    rmSync(this.home, { recursive: true, force: true });
    process.off("exit", this.leave);
  }

  private mount(image: string): void {
    run("mount", "-o", "loop", image, this.folder);
    this.mounted = true;
  }

  private unmount(): void {
    if (!this.mounted) return;
    const clean = spawnSync("umount", [this.folder], { stdio: "pipe" });
    // Whatever still stands there must not keep the disk, nor its loop device.
    if (clean.status !== 0) run("umount", "--lazy", this.folder);
    this.mounted = false;
  }

  private readonly leave = (): void => {
    if (this.mounted) spawnSync("umount", ["--lazy", this.folder]);
  };
}

import { Failed } from "../../src/core/failure.ts";
import type { Files } from "../../src/ports/files.ts";

/** Files by path; a folder is whatever has files below it. A link is a text that says where it leads. */
export class FakeFiles implements Files {
  readonly files = new Map<string, string>();

  async write(path: string, text: string): Promise<void> {
    if (this.isFolder(path) || this.parents(path).some((parent) => this.files.has(parent)))
      throw new Failed({ kind: "file.failed", path, detail: "a folder is in the way" });
    this.files.set(path, text);
  }

  async writeInside(root: string, name: string, text: string): Promise<void> {
    const path = `${root}/${name}`;
    const led = this.parents(path).some((parent) => this.files.get(parent)?.startsWith("link:"));
    if (led) throw new Failed({ kind: "file.failed", path, detail: "a link leads out of the worktree" });
    await this.write(path, text);
  }

  async read(path: string): Promise<string | null> {
    return this.files.get(path) ?? null;
  }

  async list(folder: string): Promise<string[]> {
    const below = [...this.files.keys()].filter((path) => path.startsWith(`${folder}/`));
    return [...new Set(below.map((path) => path.slice(folder.length + 1).split("/")[0] ?? ""))].sort();
  }

  async copy(from: string, to: string): Promise<boolean> {
    if (this.there(to) || !this.there(from)) return false;
    for (const [path, text] of [...this.files]) {
      if (path === from) this.files.set(to, text);
      if (path.startsWith(`${from}/`)) this.files.set(`${to}${path.slice(from.length)}`, text);
    }
    return true;
  }

  async link(target: string, path: string): Promise<boolean> {
    if (this.there(path) || !this.there(target)) return false;
    this.files.set(path, `link:${target}`);
    return true;
  }

  async remove(path: string): Promise<void> {
    for (const each of [...this.files.keys()])
      if (each === path || each.startsWith(`${path}/`)) this.files.delete(each);
  }

  private there = (path: string): boolean => this.files.has(path) || this.isFolder(path);
  private isFolder = (path: string): boolean => [...this.files.keys()].some((each) => each.startsWith(`${path}/`));
  private parents = (path: string): string[] =>
    path.split("/").flatMap((_, i, parts) => (i === 0 ? [] : [parts.slice(0, i).join("/")]));
}

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
    await this.write(this.inside(root, name), text);
  }

  async makeInside(root: string, name: string): Promise<void> {
    this.inside(root, `${name}/below`);
  }

  async read(path: string): Promise<string | null> {
    return this.files.get(path) ?? null;
  }

  async list(folder: string): Promise<string[]> {
    const below = [...this.files.keys()].filter((path) => path.startsWith(`${folder}/`));
    return [...new Set(below.map((path) => path.slice(folder.length + 1).split("/")[0] ?? ""))].sort();
  }

  async copyInside(from: string, root: string, name: string): Promise<boolean> {
    const to = `${root}/${name}`;
    if (this.there(to) || !this.there(from)) return false;
    this.inside(root, name);
    for (const [path, text] of [...this.files]) {
      if (path === from) this.files.set(to, text);
      if (path.startsWith(`${from}/`)) this.files.set(`${to}${path.slice(from.length)}`, text);
    }
    return true;
  }

  async linkInside(target: string, root: string, name: string): Promise<boolean> {
    const path = `${root}/${name}`;
    if (this.there(path) || !this.there(target)) return false;
    this.inside(root, name);
    this.files.set(path, `link:${target}`);
    return true;
  }

  async blank(path: string, from: number, isSecret: (word: string) => boolean): Promise<number> {
    const text = this.files.get(path);
    if (text === undefined) return 0;
    const blanked = text
      .slice(from)
      .replaceAll(/[A-Za-z0-9_-]{32}/g, (word) => (isSecret(word) ? "*".repeat(32) : word));
    this.files.set(path, text.slice(0, from) + blanked);
    return text.length;
  }

  async rotate(path: string): Promise<void> {
    const text = this.files.get(path);
    if (text === undefined) return;
    this.files.set(`${path}.1`, text);
    this.files.delete(path);
  }

  /** Folders in which somebody stands. */
  readonly occupied = new Set<string>();

  async inUse(folder: string): Promise<boolean> {
    return [...this.occupied].some((path) => path === folder || path.startsWith(`${folder}/`));
  }

  async remove(path: string): Promise<void> {
    for (const each of [...this.files.keys()])
      if (each === path || each.startsWith(`${path}/`)) this.files.delete(each);
  }

  private inside(root: string, name: string): string {
    const path = `${root}/${name}`;
    const led = this.parents(path).some((parent) => this.files.get(parent)?.startsWith("link:"));
    if (led) throw new Failed({ kind: "file.failed", path, detail: "a link leads out of the folder" });
    return path;
  }

  private there = (path: string): boolean => this.files.has(path) || this.isFolder(path);
  private isFolder = (path: string): boolean => [...this.files.keys()].some((each) => each.startsWith(`${path}/`));
  private parents = (path: string): string[] =>
    path.split("/").flatMap((_, i, parts) => (i === 0 ? [] : [parts.slice(0, i).join("/")]));
}

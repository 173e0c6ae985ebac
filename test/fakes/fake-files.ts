import { createHash } from "node:crypto";
import { Failed } from "../../src/core/failure/failed.ts";
import { inGitFolder, isInside, NOT_A_FILE } from "../../src/core/text/paths.ts";
import { isSecretName } from "../../src/core/text/secret-names.ts";
import { blankTokens, TOKEN_LENGTH } from "../../src/core/text/token-words.ts";
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

  async readInside(root: string, name: string): Promise<string | null> {
    const path = this.led(root, name);
    if (this.isFolder(path)) throw new Failed({ kind: "path.refused", path: name, why: NOT_A_FILE });
    return this.files.get(path) ?? null;
  }

  async peekInside(root: string, name: string, most: number) {
    const text = await this.readInside(root, name);
    return text === null ? null : { text: text.slice(0, most), bytes: text.length, truncated: text.length > most };
  }

  async listInside(root: string, name: string): Promise<string[]> {
    return this.list(this.led(root, name));
  }

  async digestInside(root: string, name: string, part = (text: string) => text): Promise<string | null> {
    const text = await this.readInside(root, name);
    return text === null ? null : createHash("sha256").update(part(text)).digest("hex");
  }

  async makeLogInside(root: string, name: string): Promise<void> {
    const path = this.inside(root, name);
    if (this.files.get(path)?.startsWith("link:") || this.isFolder(path))
      throw new Failed({ kind: "file.failed", path, detail: NOT_A_FILE });
    if (!this.files.has(path)) this.files.set(path, "");
  }

  async list(folder: string): Promise<string[]> {
    const below = [...this.files.keys()].filter((path) => path.startsWith(`${folder}/`));
    return [...new Set(below.map((path) => path.slice(folder.length + 1).split("/")[0] ?? ""))].sort();
  }

  async copyInside(home: string, root: string, name: string): Promise<boolean> {
    const [from, to] = [`${home}/${name}`, `${root}/${name}`];
    if (this.there(to)) return false;
    if (this.parents(from).some((parent) => this.files.get(parent)?.startsWith("link:"))) this.inside(home, name);
    if (!this.there(from)) return false;
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

  async blank(path: string, from: number, isToken: (word: string) => boolean): Promise<number> {
    const text = this.files.get(path);
    if (text === undefined) return 0;
    const begin = Math.max(0, from - TOKEN_LENGTH + 1);
    const blanked = blankTokens(text.slice(begin), isToken).replaceAll("[redacted]", "*".repeat(TOKEN_LENGTH));
    this.files.set(path, text.slice(0, begin) + blanked);
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

  /** Where a name leads by its links, as long as that is below the root. */
  private led(root: string, name: string): string {
    const refuse = (why: string) => new Failed({ kind: "path.refused", path: name, why });
    if (name !== "" && !isInside(name)) throw refuse("it leads out of the repository");
    if (inGitFolder(name)) throw refuse("that is git's own");
    let path = root;
    for (const part of name.split("/").filter((each) => each !== "" && each !== ".")) {
      path = `${path}/${part}`;
      const link = this.files.get(path);
      if (!link?.startsWith("link:")) continue;
      path = link.slice("link:".length);
      if (!path.startsWith(`${root}/`)) throw refuse("a link leads out of the repository");
      if (inGitFolder(path)) throw refuse("a link leads into git's own folder");
      if (isSecretName(path)) throw refuse("a link leads to a file that by its name holds secrets");
    }
    return path;
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

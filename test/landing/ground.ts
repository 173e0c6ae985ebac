import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VerificationView } from "../../src/core/gates/view.ts";
import type { LandingView } from "../../src/core/landing/view.ts";
import { Stage } from "../stage.ts";

export type Files = Readonly<Record<string, string>>;

/** The whole suite in one process, by node:test: a process for each file would cost more than all that is tested here. */
const ALL = `import { readdirSync } from "node:fs";
for (const name of readdirSync(new URL(".", import.meta.url)).sort())
  if (name.endsWith(".test.mjs")) await import("." + "/" + name);
`;

/** A module and the test of it: `is` is an expression over what the module exports. */
export const unit = (name: string, code: string, is: string): Files => ({
  [`src/${name}.mjs`]: code,
  [`test/${name}.test.mjs`]: `import assert from "node:assert/strict";
import { test } from "node:test";
import * as its from "../src/${name}.mjs";
test("${name} works", () => assert.ok(${is}));
`,
});

export const SUITE: Files = {
  "package.json": '{ "type": "module", "scripts": { "test": "node test/all.mjs" } }\n',
  "test/all.mjs": ALL,
  "src/title.mjs": 'export const title = "untitled";\n',
  ...unit("format", 'export const format = (text) => "<" + text + ">";\n', 'its.format("a") === "<a>"'),
};

/** A person with a repository that has a suite, and with gates they have trusted. */
export class LandingStage extends Stage {
  /** `config` comes behind the gate's own lines. */
  static async make(config = "", files: Files = SUITE, test = "node test/all.mjs"): Promise<LandingStage> {
    const stage = new LandingStage({ ...files, ".banksman/config.toml": configOf(test, config) });
    await stage.ok("trust", "--yes");
    return stage;
  }

  /** A branch with a commit of its own on top of `from`; a file that is null is deleted. No checkout is touched. */
  branch(name: string, files: Readonly<Record<string, string | null>>, from = "main", message = name): string {
    const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
    const changes = Object.entries(files).map(([path, text]) =>
      text === null ? `D ${path}\n` : `M 100644 inline ${path}\n${data(text)}`,
    );
    const head = `commit refs/heads/${name}\ncommitter Tess <tess@example.org> 1700000000 +0000\n${data(message)}`;
    const base = this.repo.git("rev-parse", `${from}^{commit}`);
    this.repo.gitFed(`${head}from ${base}\n${changes.join("")}\n`, "fast-import", "--quiet", "--force");
    return this.repo.git("rev-parse", `refs/heads/${name}`);
  }

  /** One commit more on a branch, with a link in it. */
  link(name: string, path: string, to: string): void {
    const head = `commit refs/heads/${name}\ncommitter Tess <tess@example.org> 1700000001 +0000\ndata 4\nlink\n`;
    const from = `from ${this.repo.git("rev-parse", `refs/heads/${name}`)}\n`;
    const change = `M 120000 inline ${path}\ndata ${Buffer.byteLength(to)}\n${to}\n`;
    this.repo.gitFed(`${head}${from}${change}\n`, "fast-import", "--quiet", "--force");
  }

  async land(...branches: string[]): Promise<LandingView> {
    const { out, err } = await this.bm("land", ...branches, "--yes", "--json");
    if (out === "") throw new Error(`land ${branches.join(" ")}: ${err}`);
    return JSON.parse(out) as LandingView;
  }

  async verify(ref: string, ...more: string[]): Promise<VerificationView> {
    const { out, err } = await this.bm("verify", ref, "--json", ...more);
    if (out === "") throw new Error(`verify ${ref}: ${err}`);
    return JSON.parse(out) as VerificationView;
  }

  /** Every value that main's ref took, the oldest first. */
  points(branch = "main"): string[] {
    return this.repo.git("reflog", "show", "--format=%H", `refs/heads/${branch}`, "--").split("\n").reverse();
  }

  /** Runs the suite on a commit, in a checkout of nobody else's. */
  isGreen(commit: string, test = "node test/all.mjs"): boolean {
    const folder = mkdtempSync(join(tmpdir(), "bm-again-"));
    try {
      execFileSync("sh", ["-c", `git archive ${commit} | tar -x -C ${folder}`], { cwd: this.root, env: this.env });
      return spawnSync("sh", ["-c", test], { cwd: folder, env: this.env }).status === 0;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** What must hold of every landing, however it went: M1 to M6. */
  broken(tips: ReadonlyMap<string, string>): string[] {
    const { repo } = this;
    const points = this.points();
    const isIn = (commit: string, other: string) =>
      spawnSync("git", ["merge-base", "--is-ancestor", commit, other], { cwd: this.root }).status === 0;
    return [
      ...points.filter((point) => !this.isGreen(point)).map((point) => `main was red at ${point}`),
      ...points.slice(1).flatMap((point, i) => (isIn(points[i] ?? "", point) ? [] : [`main went back to ${point}`])),
      ...(repo.git("rev-list", "--merges", "main") === "" ? [] : ["main has a merge"]),
      ...[...tips].flatMap(([name, tip]) =>
        repo.git("rev-parse", `refs/heads/${name}`) === tip ? [] : [`${name} is not where it was`],
      ),
      ...(repo.git("fsck", "--no-dangling", "--no-progress") === "" ? [] : ["git fsck finds something"]),
      ...(repo.git("for-each-ref", "refs/banksman/staged") === "" ? [] : ["a staged commit is still held"]),
      ...(existsSync(join(this.root, ".git/index.lock")) ? ["the index is still locked"] : []),
    ];
  }

  tips(names: readonly string[]): Map<string, string> {
    return new Map(names.map((name) => [name, this.repo.git("rev-parse", `refs/heads/${name}`)]));
  }
}

const configOf = (test: string, more: string): string =>
  `[supervisor]\ntest_command = ${JSON.stringify(test)}\n${more}`;

export const namesOf = (list: readonly { readonly branch: string }[]): string[] => list.map(({ branch }) => branch);

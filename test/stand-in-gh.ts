import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Issue } from "../src/core/specs/issue.ts";

/** How gh fails: its exit code and its own words (gh 2). */
export const GH_FAILS = {
  login: [
    4,
    "To get started with GitHub CLI, please run:  gh auth login\nAlternatively, populate the GH_TOKEN environment variable with a GitHub API authentication token.\n",
  ],
  credentials: [
    1,
    "HTTP 401: Bad credentials (https://api.github.com/graphql)\nTry authenticating with:  gh auth login\n",
  ],
  remotes: [1, "no git remotes found\n"],
  host: [
    1,
    "none of the git remotes configured for this repository point to a known GitHub host. To tell gh about a new GitHub host, please use `gh auth login`\n",
  ],
  offline: [1, "error connecting to api.github.com\ncheck your internet connection or https://githubstatus.com\n"],
} as const;

/** A program called gh that answers `issue view` as the real one does, and knows these issues. */
export class StandInGh {
  readonly path: string;
  private readonly world: { issues: object[]; fails: readonly [number, string] | null } = { issues: [], fails: null };

  constructor(private readonly folder: string) {
    this.path = join(folder, "bin");
    mkdirSync(this.path, { recursive: true });
    this.write();
    const program = `#!${process.execPath}\n(${answer.toString()})(${JSON.stringify(this.file)});\n`;
    writeFileSync(join(this.path, "gh"), program, { mode: 0o755 });
  }

  has({ number, title, body, author, url, open }: Issue, isBot = false): void {
    const login = { id: "MDQ6", is_bot: isBot, login: author, name: "" };
    this.world.issues.push({ number, title, body, author: login, url, state: open ? "OPEN" : "CLOSED" });
    this.write();
  }

  fails(how: keyof typeof GH_FAILS | null): void {
    this.world.fails = how === null ? null : GH_FAILS[how];
    this.write();
  }

  /** Says this instead of an answer. */
  says(text: string): void {
    this.world.issues = [];
    this.world.fails = [0, text];
    this.write();
  }

  private get file(): string {
    return join(this.folder, "gh-world.json");
  }

  private write(): void {
    writeFileSync(this.file, JSON.stringify(this.world));
  }
}

/** Runs in the stand-in's own process. */
function answer(file: string): void {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const { issues, fails } = JSON.parse(readFileSync(file, "utf8")) as {
    issues: { number: number }[];
    fails: [number, string] | null;
  };
  const end = (code: number, out: string, err: string) => {
    process.stdout.write(out);
    process.stderr.write(err);
    process.exitCode = code;
  };
  const [noun, verb, number, flag, fields = "", ...more] = process.argv.slice(2);
  if (noun !== "issue" || verb !== "view" || flag !== "--json" || more.length > 0)
    return end(1, "", `unknown command ${process.argv.slice(2).join(" ")}\n`);
  if (process.env.GH_PROMPT_DISABLED === undefined) return end(1, "", "it could ask something\n");
  if (fails !== null) return fails[0] === 0 ? end(0, fails[1], "") : end(fails[0], "", fails[1]);
  const found = issues.find((issue) => String(issue.number) === number) as Record<string, unknown> | undefined;
  if (found === undefined)
    return end(
      1,
      "",
      `GraphQL: Could not resolve to an issue or pull request with the number of ${number}. (repository.issue)\n`,
    );
  const asked = fields.split(",").sort();
  end(0, `${JSON.stringify(Object.fromEntries(asked.map((name) => [name, found[name]])))}\n`, "");
}

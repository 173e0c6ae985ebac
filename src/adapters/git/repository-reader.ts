import { askedPath } from "../../core/actions/asked-path.ts";
import { Failed } from "../../core/failure/failed.ts";
import { NOT_A_FILE } from "../../core/text/paths.ts";
import { isSecretName } from "../../core/text/secret-names.ts";
import type { Command } from "../../ports/command.ts";
import type { Files } from "../../ports/files.ts";
import type { RepositoryFolders } from "./locate.ts";
import { resolveCommit } from "./objects.ts";
import { GitRunner } from "./run.ts";

const TIMEOUT_MS = 30_000;
const LONGEST_LINE = 300;
/** No program of the repository's config is run for a diff. */
const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color"];

/**
 * The repository as somebody sees it who may read, and only that: what git has or would take in, nothing outside the
 * checkout by whatever link, nothing that holds secrets by its name. Everything is cut at a size.
 */
export function createRepositoryReader(
  command: Command,
  { root, commonDir }: RepositoryFolders,
  env: NodeJS.ProcessEnv,
  files: Pick<Files, "peekInside">,
) {
  const git = new GitRunner(command, root, env, { commonDir });
  const literal = (...args: string[]) => ["--literal-pathspecs", ...args];

  return {
    /** Tracked files and new ones that are not ignored, below a folder. */
    async list(folder: string, most: number) {
      const path = checked(folder);
      const args = literal("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate");
      const names = await git.fields([...args, "--", ...(path === "" ? [] : [path])], { timeoutMs: TIMEOUT_MS });
      const files = names.filter((name) => !isSecretName(name) && !name.endsWith("/")).sort();
      return { files: files.slice(0, most), truncated: files.length > most };
    },

    /** Null when there is no such file. `text` is null for one that is not text. */
    async read(asked: string, mostBytes: number) {
      const path = checked(asked);
      const found = await files.peekInside(root, path, mostBytes).catch((error: unknown) => {
        if (!(error instanceof Failed) || error.failure.kind !== "path.refused") throw error;
        // A folder, a pipe: it is there, and there is nothing to read.
        if (error.failure.why !== NOT_A_FILE) throw error;
        return { text: null, bytes: 0, truncated: false };
      });
      return found === null ? null : { path, ...found };
    },

    /** Lines that hold a text, as it is written, in files that `list` shows. */
    async search(text: string, folder: string, most: number) {
      const path = checked(folder);
      const args = literal("grep", "--untracked", "--no-textconv", "--no-color", "-I", "-n", "-z", "-F");
      const where = path === "" ? [] : [path];
      const call = { timeoutMs: TIMEOUT_MS, answers: [1] };
      const out = await git.text([...args, `--max-count=${most}`, "-e", text, "--", ...where], call);
      const matches = out.split("\n").flatMap((line) => {
        const [name = "", number = "", found] = line.split("\0");
        if (found === undefined || isSecretName(name)) return [];
        return [{ path: name, line: Number(number), text: found.slice(0, LONGEST_LINE) }];
      });
      return { matches: matches.slice(0, most), truncated: matches.length > most };
    },

    async branches() {
      const format = "%(refname:short)%00%(objectname)%00%(HEAD)%00%(committerdate:iso-strict)%00%(subject)%00";
      const fields = await git.fields(["for-each-ref", `--format=${format}`, "refs/heads/"]);
      const rows = Array.from({ length: Math.floor(fields.length / 5) }, (_, i) => fields.slice(i * 5, i * 5 + 5));
      return rows.map(([branch = "", commit = "", head, at = "", subject = ""]) => ({
        branch: branch.trim(),
        commit,
        current: head === "*",
        at,
        subject,
      }));
    },

    /** Newest first; null for a ref that is not there. */
    async commits(ref: string, most: number) {
      const commit = await resolveCommit(git, ref);
      if (commit === null) return null;
      const fields = await git.fields(["log", "-z", `-n${most}`, "--format=%H%x1f%an%x1f%aI%x1f%s", commit, "--"]);
      return fields.map((field) => {
        const [commit = "", author = "", at = "", subject = ""] = field.split("\x1f");
        return { commit, author, at, subject };
      });
    },

    /** What a branch has changed since it left its base; null where one of them is not there. Secrets are named, not shown. */
    async diff(ref: string, base: string, mostChars: number) {
      const [tip, from] = [await resolveCommit(git, ref), await resolveCommit(git, base)];
      if (tip === null || from === null) return null;
      const range = `${from}...${tip}`;
      const call = { timeoutMs: TIMEOUT_MS };
      const files = await git.fields(["diff", ...PLAIN, "--name-only", "--no-renames", "-z", range, "--"], call);
      const hidden = files.filter(isSecretName);
      const shown = [":(top)", ...hidden.map((path) => `:(top,exclude,literal)${path}`)];
      const text = await git.text(["diff", ...PLAIN, range, "--", ...shown], call);
      const commits = Number(await git.text(["rev-list", "--count", `${from}..${tip}`, "--"]));
      return {
        base: from,
        commit: tip,
        commits,
        files,
        hidden,
        diff: text.slice(0, mostChars),
        truncated: text.length > mostChars,
      };
    },
  };
}

function checked(asked: string): string {
  const path = askedPath(asked);
  if ("kind" in path) throw new Failed(path);
  return path.path;
}

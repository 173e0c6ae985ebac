import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readSmall } from "./read-small.ts";
import type { GitRunner } from "./run.ts";

/**
 * Writes our own excludes file: git reads one only, so it begins with what the user's holds. `git` must be a runner
 * that does not have ours set.
 */
export async function writeExcludes(
  git: GitRunner,
  path: string,
  patterns: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const set = await git.text(["config", "--type=path", "--get", "core.excludesFile"], { answers: [1] });
  const usual = join(env.XDG_CONFIG_HOME || join(env.HOME || "/", ".config"), "git", "ignore");
  const users = set === "" ? usual : set;
  const inherited = existsSync(users) ? readPatterns(users).trimEnd() : "";
  const text = `${inherited}\n# banksman\n${patterns.join("\n")}\n`;
  if (existsSync(path) && readPatterns(path) === text) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

const MOST_BYTES = 1024 * 1024;

/** The name may be the repository's: what is no file has no patterns. */
function readPatterns(path: string): string {
  try {
    return readSmall(path, MOST_BYTES);
  } catch {
    return "";
  }
}

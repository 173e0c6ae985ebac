import type { Environment } from "../../core/clis/environment.ts";
import type { GitRunner } from "./run.ts";

/** The content of many objects by one process. One that is not there is missing in the answer. */
export async function readBatch(
  git: GitRunner,
  names: readonly string[],
  env: Environment = {},
): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  if (names.length === 0) return found;
  const { stdout } = await git.run(["cat-file", "--batch", "--buffer"], { input: lines(names), env });
  const bytes = Buffer.from(stdout.buffer, stdout.byteOffset, stdout.byteLength);
  for (let at = 0, i = 0; at < bytes.length && i < names.length; i++) {
    const end = bytes.indexOf(10, at);
    const [, type = "", size = ""] = bytes.subarray(at, end).toString("latin1").split(" ");
    at = end + 1;
    if (type === "missing" || size === "") continue;
    found.set(names[i] ?? "", bytes.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}

/** How large each object is; null for one that is not there. */
export async function readSizes(git: GitRunner, names: readonly string[]): Promise<(number | null)[]> {
  if (names.length === 0) return [];
  const text = await git.text(["cat-file", "--batch-check=%(objectsize)", "--buffer"], { input: lines(names) });
  return text.split("\n").map((line) => (/^\d+$/.test(line) ? Number(line) : null));
}

const lines = (names: readonly string[]): string => names.map((name) => `${name}\n`).join("");

import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Briefs } from "../core/actions.ts";
import { Failed } from "../core/failure.ts";
import type { Io } from "./command.ts";

/** `--brief`: one text for all agents, or a folder with one `<agent>.md` each. */
export function readBriefs(option: unknown, { cwd }: Io): Briefs {
  if (typeof option !== "string") return { all: null, each: {} };
  const path = resolve(cwd, option);
  try {
    if (!statSync(path).isDirectory()) return { all: readFileSync(path, "utf8"), each: {} };
    const files = readdirSync(path).filter((name) => name.endsWith(".md"));
    const texts = files.map((name) => [basename(name, ".md"), readFileSync(join(path, name), "utf8")] as const);
    return { all: null, each: Object.fromEntries(texts.filter(([, text]) => text.trim() !== "")) };
  } catch (error) {
    throw new Failed({ kind: "file.failed", path, detail: (error as Error).message });
  }
}

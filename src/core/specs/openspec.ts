import { readFrontmatter, textField } from "../text/frontmatter.ts";
import type { Branch } from "../text/ids.ts";
import { readOutline } from "./outline.ts";
import { namesIn, type Spec, type SpecFiles, type Specs } from "./spec.ts";

/** `<change>/tasks.md`, with what the change's specs say: one piece of work per change. The archive is done with. */
export function readOpenSpec(files: SpecFiles, prefix: string): Specs {
  const entries: Spec[] = [];
  const warnings: string[] = [];
  const leftOut = new Map<string, string>();
  const leave = (change: string, why: string) => {
    leftOut.set(change, why);
    warnings.push(`${change} ${why} and was left out`);
  };
  for (const change of namesIn(files, "")) {
    if (change === "archive" || files.has(change)) continue;
    const tasks = files.get(`${change}/tasks.md`);
    if (tasks === undefined) {
      leave(change, "has no tasks.md");
      continue;
    }
    const front = readFrontmatter(tasks);
    if (front.problem !== null) warnings.push(`${change}/tasks.md: ${front.problem}`);
    const boxes = readOutline(front.body).filter((item) => item.kind === "task");
    if (boxes.length > 0 && boxes.every(({ done }) => done)) {
      leave(change, "has every box ticked");
      continue;
    }
    const specs = namesIn(files, `${change}/specs`).flatMap((capability) => {
      const text = files.get(`${change}/specs/${capability}/spec.md`);
      return text === undefined ? [] : [`## Spec: ${capability}\n\n${text.trim()}`];
    });
    entries.push({
      id: change,
      feature: change,
      branch: `${prefix}${change}` as Branch,
      cli: textField(front, "paw_cli", "cli"),
      prompt: [`# ${change}`, front.body.trim(), ...specs].join("\n\n"),
      owned: [...new Set([front.body, files.get(`${change}/proposal.md`) ?? ""].flatMap(ownedFiles))],
      path: `${change}/tasks.md`,
    });
  }
  return { entries, warnings, leftOut };
}

/** The list below `Files owned:` or `Owned files:`, or what follows on the same line, separated by commas. */
export function ownedFiles(text: string): string[] {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => /(files owned|owned files):/i.test(line));
  if (at < 0) return [];
  const inline = (lines[at] ?? "")
    .replace(/^.*?(files owned|owned files):/i, "")
    .replaceAll(/[*`]/g, "")
    .trim();
  if (inline !== "")
    return inline
      .split(",")
      .map((each) => each.trim())
      .filter(Boolean);
  const owned: string[] = [];
  for (const line of lines.slice(at + 1)) {
    const [, path] = /^\s*[-*+]\s+`?([^`\s]+)`?/.exec(line) ?? [];
    if (path !== undefined) owned.push(path);
    else if (line.trim() !== "" || owned.length > 0) break;
  }
  return owned;
}

import { readFrontmatter, textField } from "../text/frontmatter.ts";
import type { Branch } from "../text/ids.ts";
import { ownedFiles } from "./openspec.ts";
import { namesIn, type Spec, type SpecFiles, type Specs } from "./spec.ts";

/** Flat files whose frontmatter says that they are pending. */
export function readMarkdownSpecs(files: SpecFiles, prefix: string): Specs {
  const entries: Spec[] = [];
  const warnings: string[] = [];
  const leftOut = new Map<string, string>();
  for (const name of namesIn(files, "")) {
    const text = files.get(name);
    if (text === undefined || !name.endsWith(".md")) continue;
    const front = readFrontmatter(text);
    if (front.problem !== null) warnings.push(`${name}: ${front.problem}`);
    const status = textField(front, "paw_status", "banksman");
    if (status === null && front.problem === null)
      warnings.push(`${name} was left out: its frontmatter does not say \`banksman: pending\``);
    const id = name.slice(0, -".md".length);
    if (status !== "pending") {
      leftOut.set(
        id,
        status === null ? "does not say `banksman: pending` in its frontmatter" : `is marked as ${status}`,
      );
      continue;
    }
    const branch = (textField(front, "paw_branch", "branch") ?? `${prefix}${id}`) as Branch;
    const other = entries.find((each) => each.branch === branch);
    if (other !== undefined) {
      leftOut.set(id, `has the same branch as ${other.path}`);
      warnings.push(`${name} was left out: ${other.path} has the branch ${branch} already`);
      continue;
    }
    entries.push({
      id,
      feature: id,
      branch,
      cli: textField(front, "paw_cli", "cli"),
      prompt: `# ${id}\n\n${front.body.trim()}`,
      owned: ownedFiles(front.body),
      path: name,
    });
  }
  return { entries, warnings, leftOut };
}

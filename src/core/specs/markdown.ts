import type { Branch } from "../ids.ts";
import { readFrontmatter, textField } from "./frontmatter.ts";
import { ownedFiles } from "./openspec.ts";
import { namesIn, type Spec, type SpecFiles, type Specs } from "./spec.ts";

/** Flat files whose frontmatter says that they are pending. */
export function readMarkdownSpecs(files: SpecFiles, prefix: string): Specs {
  const entries: Spec[] = [];
  const warnings: string[] = [];
  for (const name of namesIn(files, "")) {
    const text = files.get(name);
    if (text === undefined || !name.endsWith(".md")) continue;
    const front = readFrontmatter(text);
    if (front.problem !== null) warnings.push(`${name}: ${front.problem}`);
    if (textField(front, "paw_status", "banksman") !== "pending") continue;
    const id = name.slice(0, -".md".length);
    entries.push({
      id,
      feature: id,
      branch: (textField(front, "paw_branch", "branch") ?? `${prefix}${id}`) as Branch,
      cli: textField(front, "paw_cli", "cli"),
      prompt: `# ${id}\n\n${front.body.trim()}`,
      owned: ownedFiles(front.body),
      path: name,
    });
  }
  return { entries, warnings };
}

import type { SessionSettings } from "./settings.ts";

const SPEC_KIT_SPECS = ".specify/specs";

/**
 * The document with the project's principles, by its path in the repository: the one that is named (an empty name is
 * none), or Spec Kit's own beside its specs, where specs are Spec Kit's or nobody has said what they are.
 */
export function constitutionPath({ specs, constitution }: Pick<SessionSettings, "specs" | "constitution">) {
  if (constitution !== null) return constitution === "" ? null : constitution;
  if (specs.type !== null && specs.type !== "speckit") return null;
  const folder = specs.type === "speckit" && specs.dir !== null ? specs.dir : SPEC_KIT_SPECS;
  const above = folder.replace(/\/+$/, "").split("/").slice(0, -1);
  return [...above, "memory", "constitution.md"].join("/");
}

/** Whether nobody has filled Spec Kit's template in yet: then it says nothing. */
export const isTemplate = (text: string): boolean => /\[(PROJECT_NAME|PRINCIPLE_\d+_NAME)\]/.test(text);

/** Longer ones are not put into a brief, which is typed: the agent reads them in its worktree. */
const LONGEST = 16_000;

/** The part of a brief that holds it. */
export function constitutionPart(path: string, text: string): string {
  const said = text.length > LONGEST ? `It is long: read \`${path}\` before you begin.` : text.trim();
  return `# The project's constitution\n\nWhat you make must agree with these principles (\`${path}\`).\n\n${said}`;
}

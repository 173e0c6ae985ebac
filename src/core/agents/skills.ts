import type { Failure } from "../failure/failure.ts";
import { readFrontmatter, textField } from "../text/frontmatter.ts";

/** A text that tells an agent how to work, as agentskills.io has them. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** Where it was found, for people. */
  readonly from: string;
}

const LONGEST_DESCRIPTION = 1024;

/** Reads the SKILL.md of the folder `folder`: frontmatter with name and description, then the text. */
export function parseSkill(text: string, from: string, folder: string): Skill | Failure {
  const problem = (why: string): Failure => ({ kind: "skill.problem", from, why });
  const front = readFrontmatter(text);
  if (front.problem !== null) return problem(front.problem);
  const [name, description] = [textField(front, "name"), textField(front, "description")];
  if (name === null || description === null) return problem("its frontmatter needs a name and a description");
  if (name !== folder) return problem(`its name is ${name}, and its folder's is ${folder}`);
  if (description.length > LONGEST_DESCRIPTION)
    return problem(`its description is longer than ${LONGEST_DESCRIPTION} characters`);
  const unknown = placeholders(front.body).find((each) => !PLACEHOLDERS.has(each));
  if (unknown !== undefined) return problem(`there is no placeholder {{${unknown}}}`);
  return { name, description, body: front.body.trim(), from };
}

/** A skill as the SKILL.md of its folder: what `parseSkill` reads. */
export const writeSkill = ({ name, description, body }: Skill): string =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n${body}\n`;

/**
 * The same for CLIs that know nothing of us: what a placeholder stands for in any checkout of a project is filled in, as
 * they would read the placeholder itself.
 */
export const writeFilledSkill = (skill: Skill, project: string): string =>
  writeSkill({ ...skill, body: fillSkill(skill, { PROJECT_NAME: project, BRANCH: "HEAD" }) });

/** Names that git-paw's skills use. */
const GATES = ["TEST", "LINT", "BUILD", "DOC_BUILD", "SPEC_VALIDATE", "FMT_CHECK", "SECURITY_AUDIT", "DOC_TOOL"];
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  "BRANCH_ID",
  "BRANCH",
  "PROJECT_NAME",
  "GIT_PAW_BROKER_URL",
  "SKILL_NAME",
  "SKILL_DESCRIPTION",
  ...GATES.map((gate) => `${gate}_COMMAND`),
]);

const placeholders = (text: string): string[] => [...text.matchAll(/\{\{([A-Z_]+)\}\}/g)].map(([, name = ""]) => name);

/** The commands that check a project, by gate. */
export type Commands = Readonly<Record<string, string | null>>;

/** What a skill's placeholders for commands stand for: those that are configured. */
export const commandValues = (commands: Commands): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(commands).flatMap(([gate, command]) =>
      command === null ? [] : [[`${gate.toUpperCase()}_COMMAND`, command]],
    ),
  );

/** The skill's text for one agent. What is put in is not looked at again. */
export function fillSkill(skill: Skill, values: Readonly<Record<string, string>>): string {
  const all: Record<string, string> = { ...values, SKILL_NAME: skill.name, SKILL_DESCRIPTION: skill.description };
  return skill.body.replaceAll(/\{\{([A-Z_]+)\}\}/g, (_, name: string) => all[name] ?? "(not configured)");
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeFilledSkill } from "../../core/agents/skills.ts";
import { SUPERVISION } from "../../core/agents/supervisor-brief.ts";
import { MERGED_WORKFLOW, mergedWorkflow } from "../../core/epic/decide/merged-workflow.ts";
import type { Input, Io } from "../command.ts";
import type { Repository } from "../wire/find-repository.ts";
import { wireFiles } from "../wire/wire-files.ts";

/** `init --github` and `init --skills`: files that other programs read. What is there already is left as it is. */
export async function writeExtras(
  { root, project }: Pick<Repository, "root" | "project">,
  { options }: Input,
  io: Io,
): Promise<void> {
  const skill = `skills/${SUPERVISION.name}/SKILL.md`;
  // Claude has a folder of its own; the others read .agents.
  const skillFolders = existsSync(join(root, ".claude")) ? [".agents", ".claude"] : [".agents"];
  const wanted = [
    ...(options.github === true ? [[MERGED_WORKFLOW, mergedWorkflow(__VERSION__)] as const] : []),
    ...(options.skills === true
      ? skillFolders.map((folder) => [`${folder}/${skill}`, writeFilledSkill(SUPERVISION, project)] as const)
      : []),
  ];
  for (const [name, text] of wanted) {
    if (existsSync(join(root, name))) {
      io.out(`${join(root, name)} already exists, and was not changed.\n`);
      continue;
    }
    await wireFiles().writeInside(root, name, text, 0o644);
    io.out(`Wrote ${join(root, name)}. Read it, then commit it.\n`);
  }
}

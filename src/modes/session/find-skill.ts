import { Failed } from "../../core/failure.ts";
import type { SessionSettings } from "../../core/settings.ts";
import { parseSkill, type Skill } from "../../core/skills.ts";
import type { Files } from "../../ports/files.ts";

export interface SkillPlaces {
  readonly files: Pick<Files, "read">;
  readonly root: string;
  readonly settings: Pick<SessionSettings, "skills">;
}

/** The user's own, then the repository's, then ours. One that cannot be used is a failure, not a reason to take another. */
export const findSkill = async (places: SkillPlaces, bundled: Skill): Promise<Skill> =>
  (await findOwnSkill(places, bundled.name)) ?? bundled;

/** The user's or the repository's skill of that name, or null. */
export async function findOwnSkill({ files, root, settings }: SkillPlaces, name: string): Promise<Skill | null> {
  for (const path of [`${settings.skills}/${name}/SKILL.md`, `${root}/.agents/skills/${name}/SKILL.md`]) {
    const text = await files.read(path);
    if (text === null) continue;
    const skill = parseSkill(text, path, name);
    if ("kind" in skill) throw new Failed(skill);
    return skill;
  }
  return null;
}

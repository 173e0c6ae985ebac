import { parseSkill, type Skill } from "../../core/agents/skills.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { SessionSettings } from "../../core/session/settings.ts";
import type { Files } from "../../ports/files.ts";

export interface SkillPlaces {
  readonly files: Pick<Files, "read" | "readInside">;
  readonly root: string;
  readonly settings: Pick<SessionSettings, "skills">;
}

/** The user's own, then the repository's, then ours. One that cannot be used is a failure, not a reason to take another. */
export const findSkill = async (places: SkillPlaces, bundled: Skill): Promise<Skill> =>
  (await findOwnSkill(places, bundled.name)) ?? bundled;

/** The user's or the repository's skill of that name, or null. */
export async function findOwnSkill({ files, root, settings }: SkillPlaces, name: string): Promise<Skill | null> {
  const users = `${settings.skills}/${name}/SKILL.md`;
  const repositorys = `.agents/skills/${name}/SKILL.md`;
  return (
    parse(await files.read(users), users, name) ??
    parse(await files.readInside(root, repositorys), `${root}/${repositorys}`, name)
  );
}

function parse(text: string | null, from: string, name: string): Skill | null {
  if (text === null) return null;
  const skill = parseSkill(text, from, name);
  if ("kind" in skill) throw new Failed(skill);
  return skill;
}

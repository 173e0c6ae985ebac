import type { Epic, Item } from "../file/epic.ts";
import { fixedBy, itemNamed } from "./item-state.ts";

/** Whether an item needs the critic before it is dispatched, and what stands against it. */
export interface Risk {
  readonly needsCritic: boolean;
  /** The rollback plan that holds for it. */
  readonly rollback: string;
  /** Why it is not dispatched whatever the critic says. */
  readonly refusal: string | null;
}

/**
 * What a word in the row, or the planner's own mark, says of the damage that an item could do. The critic judges; words are
 * a net. A fix can do what the
 * item can that it mends, whatever the planner calls it.
 */
export function weighRisk(epic: Epic, item: Item): Risk {
  const mended = itemNamed(epic, fixedBy(item.id, (id) => itemNamed(epic, id) !== null) ?? "");
  const both = mended === null ? [item] : [item, mended];
  const tagged = both.some(isTagged);
  const hinted = both.some(({ id, title, notes }) => {
    const text = `${title}\n${notes}\n${epic.briefs.get(id) ?? ""}`;
    return HINTS.some((hint) => hint.test(text));
  });
  const rollback = both.map((each) => rollbackOf(epic, each)).find((plan) => plan !== "") ?? "";
  if (both.some((each) => isOverridden(epic, each)) || !(tagged || hinted))
    return { needsCritic: false, rollback, refusal: null };
  return {
    needsCritic: lastVerdict(epic, item) !== "SAFE_TO_DISPATCH",
    rollback,
    refusal: refusalOf(tagged, rollback),
  };
}

/** The tag by which a planner marks what could do damage. */
export const HIGH_RISK = "high-risk";

export function isTagged({ title, notes, tags }: Item): boolean {
  if (/\b(?:high-risk|irreversible|production|destructive)\b/i.test(tags)) return true;
  return /\b(?:high-risk|irreversible|destructive)\b|[#[]production\b/i.test(`${title}\n${notes}`);
}

/** What leaves the repository, cannot be undone by a revert, or closes a way back. */
const HINTS: readonly RegExp[] = [
  /\bOTA\b|\bDNS\b|\bIAM\b|\bCI\b (?:config\w*|pipelines?|workflows?|secrets?)/,
  /\bflash(?:es|ing)? (?:the |a )?(?:devices?|firmware|boards?)|\bfirmware\b/i,
  /\b(?:re)?deploy(?:s|ed|ing|ments?)?\b|\broll(?:s|ed|ing)? ?out\b|\bgo(?:es)? live\b/i,
  /\bmigrat(?:es?|ed|ing|ions?)\b|\balter (?:the )?(?:table|schema|database)\b/i,
  /\b(?:drop(?![- ]?down)|truncat|delet|remov|purg|wip|eras|destroy|overwrit)(?:e?s|p?ed|p?ing|e)?\b[^.;\n]{0,30}\b(?:tables?|databases?|schemas?|collections?|buckets?|volumes?|disks?|partitions?|backups?|snapshots?|user (?:data|accounts?)|accounts|customers?|production|prod|data|history)\b/i,
  /\bmass[- ]delet\w*|\bdelete from\b|\brm -[a-z]*r[a-z]*\b|\bfactory[- ]reset\b/i,
  /\bforce[- ]push\w*|\bpush(?:es|ing)? --force\b|\brewrit(?:es?|ing) (?:the |git )?history\b/i,
  /\b(?:rotat|revok)(?:es?|ed|ing)\b[^.;\n]{0,30}\b(?:keys?|tokens?|secrets?|credentials?|certificates?)\b/i,
  /\b(?:terraform|pulumi|kubectl|helm|ansible)\b|\bfirewalls?\b|\b(?:in|to|on) (?:prod|production)\b/i,
  /\b(?:npm|cargo|docker) (?:publish|push)\b|\bpublish(?:es|ing)? (?:it|them|the package)\b|\bdecommission\w*/i,
  /\buploads? (?:it |them )?to (?:an )?external\b|\bsends? (?:out )?(?:e-?mails?|newsletters?)\b/i,
  /\b(?:charges?|refunds?) (?:the )?(?:customers?|cards?|users?)\b/i,
];

/** A line of the epic's plan that names the item, its own notes or brief; else a plan that names no item. */
function rollbackOf({ rollback, briefs, items }: Epic, { id, notes }: Item): string {
  const names = (line: string, name: string) => line.split(/[^A-Za-z0-9._-]+/).includes(name);
  const lines = rollback.split("\n").filter((line) => line.trim() !== "");
  const own = lines.filter((line) => names(line, id));
  const said = [...own, notes, briefs.get(id) ?? ""].filter(
    (text) => own.includes(text) || /rollback|roll back/i.test(text),
  );
  if (said.length > 0) return said.join("\n").trim();
  const general = lines.filter((line) => !items.some((item) => names(line, item.id)));
  return general.join("\n").trim();
}

function refusalOf(tagged: boolean, rollback: string): string | null {
  if (tagged && rollback === "") return "it is high-risk and has no rollback plan";
  if (/(?<!not )\birreversible\b/i.test(rollback)) return "its rollback plan says irreversible";
  if (/\bmanual[- ]physical\b/i.test(rollback)) return "its rollback plan needs a person on site";
  return null;
}

/** What the critic said last, as the log has it. What else a role wrote there stands behind other words. */
function lastVerdict({ log }: Epic, { id }: Item): string | null {
  const prefix = ` critic on ${id}: `;
  const line = log.findLast((each) => /^- \S+/.test(each) && each.replace(/^- \S+/, "").startsWith(prefix));
  return /^- \S+ critic on \S+: ([A-Z_]+)/.exec(line ?? "")?.[1] ?? null;
}

/** For the items a person's line names, or for all where it names none. */
function isOverridden({ overrides, items }: Epic, { id }: Item): boolean {
  return overrides.some((line) => {
    const words = line.split(/[^A-Za-z0-9._-]+/);
    return words.includes(id) || !items.some((item) => words.includes(item.id));
  });
}

import type { Epic, Item } from "../file/epic.ts";
import { fixedBy, itemNamed } from "./item-state.ts";

/** The branch of one dispatch: no two of them share one, so nothing of an earlier try is in the way. */
export const branchOf = (epic: string, item: string, key: string): string =>
  `epic/${epic}/${item}.${key.split("/").slice(-2).join(".")}`;

/** What a worker is told about its item. */
export function writeTask(epic: Epic, item: Item): string {
  const about = epic.briefs.get(item.id) ?? "";
  const done = epic.items.filter(({ id, surface }) => item.depends.includes(id) && surface !== "");
  const mended = epic.items.find(({ id }) => id === fixedBy(item.id, (each) => itemNamed(epic, each) !== null));
  const mends = mended === undefined ? "" : `It mends ${mended.id} (${mended.title})`;
  const why = item.pending?.for === "react" ? `The last try failed: ${item.pending.why}` : "";
  return [
    `# ${item.id}: ${item.title}`,
    `One work item of the epic ${epic.id} (${epic.title}). Do this and nothing else; leave the epic's file alone.`,
    about,
    item.notes === "" ? "" : `Notes: ${item.notes}`,
    why,
    mended?.surface ? `${mends}, whose work is here: ${mended.surface}. Begin with that work, and keep it.` : mends,
    ...done.map(({ id, surface }) => `It builds on ${id}: ${surface}`),
    "When you are done, say what comes next, if anything does.",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

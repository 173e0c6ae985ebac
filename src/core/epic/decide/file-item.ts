import type { Epic, Item } from "../file/epic.ts";
import type { NewTask } from "./decided.ts";
import { rootOf, stemOf } from "./item-state.ts";

/** An item that a tick adds to the table. Never queued: that is a person's word. */
export interface Filing {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly status: "ready" | "review";
  readonly notes: string;
  readonly depends: readonly string[];
  readonly worker: string;
  readonly tags: string;
}

export const FILING = { status: "ready", notes: "", depends: [], worker: "", tags: "", body: "" } as const;

/** The epic with the items in it, and what a store besides the file is told. */
export function fileItems(
  epic: Epic,
  filings: readonly Filing[],
): { readonly epic: Epic; readonly tasks: readonly NewTask[] } {
  const numbers = epic.items.map(({ number }) => (/^\d{1,6}$/.test(number) ? Number(number) : 0));
  const highest = numbers.reduce((most, number) => Math.max(most, number), 0);
  const items = filings.map(
    ({ body: _, ...filing }, i): Item => ({
      ...filing,
      number: String(highest + i + 1),
      surface: "",
      attempts: 0,
      lastActivity: null,
      pending: null,
      project: "",
      row: null,
    }),
  );
  const briefs = new Map(epic.briefs);
  for (const { id, body } of filings) if (body !== "") briefs.set(id, body);
  const tasks = filings.map(({ id, title, body, depends }) => ({ id, title, body, depends }));
  return { epic: { ...epic, items: [...epic.items, ...items], briefs }, tasks };
}

/** A name after the item it is filed for: `t-1-fix2`. */
export function followUpId({ items }: Epic, parent: string, kind: "fix" | "verify" | "refine"): string {
  const names = new Set(items.map(({ id }) => id));
  let number = 1;
  while (names.has(`${stemOf(parent)}-${kind}${number}`)) number++;
  return `${stemOf(parent)}-${kind}${number}`;
}

/** One more try at an item, and at what it was itself filed for. */
export function triedAgain(epic: Epic, id: string): Epic {
  const counted = new Set([id, rootOf(id)]);
  return {
    ...epic,
    items: epic.items.map((item) => (counted.has(item.id) ? { ...item, attempts: item.attempts + 1 } : item)),
  };
}

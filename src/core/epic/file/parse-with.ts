import { asFields, textAt } from "../../text/json-fields.ts";
import { type Block, linesOf, readBlocks } from "./blocks.ts";
import { DECISION_COLUMNS, ITEM_COLUMNS, MEMORY_COLUMNS } from "./columns.ts";
import { type Corrupt, type Epic, type EpicState, type Intent, type Item, isId, type Lease } from "./epic.ts";
import type { Front } from "./front.ts";
import type { Section, SectionName } from "./layout.ts";
import { readDecisions, readItems, readMemory } from "./read-rows.ts";
import { readStamp } from "./stamp.ts";
import { type Columns, findTable } from "./table.ts";

/** GitHub takes 64 KB in an issue; 500 items with their briefs are below 1 MB. */
export const MOST_TEXT = 2 * 1024 * 1024;

/** Reads an epic's file below its frontmatter, which somebody has read, or why it cannot be. */
export function parseWith(front: Front | string, text: string, called: string): Epic | Corrupt {
  if (text.length > MOST_TEXT) return { corrupt: `it has ${text.length} characters, and ${MOST_TEXT} is the most` };
  if (typeof front === "string") return { corrupt: front };
  const head = readHead(front, called);
  if (typeof head === "string") return { corrupt: head };
  const blocks = readBlocks(text, front.body);
  if (hasConflict(blocks, text)) return { corrupt: "git's conflict markers are in it" };
  const found = findSections(blocks, text);
  if (typeof found === "string") return { corrupt: found };
  const sections = new Map<SectionName, Section>();
  for (const [name, { columns, needed }] of Object.entries(TABLES)) {
    const place = found.get(name);
    if (place === undefined) continue;
    const table = findTable(place.own, columns, needed);
    if (typeof table === "string") return { corrupt: `## ${name}: ${table}` };
    sections.set(name as SectionName, { ...place.section, table });
  }
  const items = readItems(sections.get("Work Items")?.table ?? null);
  if (typeof items === "string") return { corrupt: items };
  const textOf = (name: string) => text.slice(found.get(name)?.section.body ?? 0, found.get(name)?.section.end ?? 0);
  const state: EpicState = {
    ...head,
    items,
    memory: readMemory(sections.get("Pattern Memory")?.table ?? null),
    decisions: readDecisions(sections.get("Pending Decisions")?.table ?? null),
    log: [...linesOf(textOf("Supervisor Log"), 0)].map((line) => line.text).filter((line) => line.trim() !== ""),
    briefs: readBriefs(blocks, text, items),
    rollback: textOf("Rollback Plan").trim(),
    overrides: readDirectives("CRITIC OVERRIDE:", blocks, text),
    allowed: readDirectives("ALLOW SKIP:", blocks, text),
  };
  const eol = /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n";
  return { ...state, origin: { text, layout: { eol, front: front.layout, sections }, state } };
}

/** Both sides of a merge are there, and somebody has to choose. In a fence or a quote they are an example. */
function hasConflict(blocks: readonly Block[], text: string): boolean {
  if (!/^>{7} /m.test(text)) return false;
  const opens = (words: string) => words.startsWith(`${"<".repeat(7)} `);
  return blocks.some((block) => (block.kind === "heading" ? [block] : block.lines).some((line) => opens(line.text)));
}

/** Every section of ours, with the columns its table must have to be the one we mean. */
const TABLES: Readonly<Record<SectionName, { columns: Columns; needed: readonly string[] }>> = {
  "Work Items": { columns: ITEM_COLUMNS, needed: ["id", "status"] },
  "Item Briefs": { columns: {}, needed: ["none"] },
  "Pattern Memory": { columns: MEMORY_COLUMNS, needed: ["at", "class"] },
  "Pending Decisions": { columns: DECISION_COLUMNS, needed: ["id", "question"] },
  "Supervisor Log": { columns: {}, needed: ["none"] },
};

type Head = Omit<EpicState, "items" | "memory" | "decisions" | "log" | "briefs" | "rollback" | "overrides" | "allowed">;

function readHead({ fields }: Front, called: string): Head | string {
  const id = fields.id === undefined ? called : String(fields.id);
  if (!isId(id)) return `its id cannot be one: ${JSON.stringify(id.slice(0, 60))}`;
  const status = fields.status;
  if (typeof status !== "string" || status.trim() === "") return "its frontmatter has no status";
  const [epoch, seq] = [fields.epoch ?? 1, fields.seq ?? 0];
  if (!isCount(epoch) || !isCount(seq)) return "its epoch and seq are not whole numbers";
  const lease = readLease(fields.lease);
  if (lease === undefined) return "its lease is not {by, until}";
  const intent = readIntent(fields.intent);
  if (intent === undefined) return "its intent is not {item, worker, key}";
  const text = (name: string) => textAt(fields, name)?.trim() ?? "";
  return {
    id,
    title: text("title") || id,
    status: status.trim(),
    epoch,
    seq,
    project: text("project"),
    branch: text("branch"),
    halted: text("halted"),
    lease,
    intent,
  };
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

function readLease(value: unknown): Lease | null | undefined {
  if (value === undefined || value === null) return null;
  const [by, until] = [textAt(value, "by"), readStamp(textAt(value, "until") ?? "")];
  return asFields(value) === null || by === null || until === null ? undefined : { by, until };
}

function readIntent(value: unknown): Intent | null | undefined {
  if (value === undefined || value === null) return null;
  const [item, worker, key] = [textAt(value, "item"), textAt(value, "worker"), textAt(value, "key")];
  if (item === null || !isId(item) || worker === null || key === null || !isKey(key)) return undefined;
  return { item, worker, key, failed: textAt(value, "failed") };
}

/** As keyOf makes them. */
const isKey = (text: string): boolean => /^[^/]+\/\d+\/\d+$/.test(text) && isId(text.split("/")[0] ?? "");

interface Found {
  readonly section: Omit<Section, "table">;
  /** What stands below its heading, before any other. */
  readonly own: readonly Block[];
}

const CALLED: ReadonlyMap<string, string> = new Map([
  ["work items", "Work Items"],
  ["item briefs", "Item Briefs"],
  ["pattern memory", "Pattern Memory"],
  ["pending decisions", "Pending Decisions"],
  ["supervisor log", "Supervisor Log"],
  ["activity log", "Supervisor Log"],
  ["rollback plan", "Rollback Plan"],
]);

/** Our sections by name, whether at depth 2 or 3; a sentence where one is there twice. */
function findSections(blocks: readonly Block[], text: string): Map<string, Found> | string {
  const found = new Map<string, Found>();
  for (const [i, block] of blocks.entries()) {
    if (block.kind !== "heading" || block.depth < 2 || block.depth > 3) continue;
    const name = CALLED.get(block.text.toLowerCase().replaceAll(/\s+/g, " "));
    if (name === undefined) continue;
    if (found.has(name)) return `it has two sections called ${name}`;
    const after = blocks.slice(i + 1);
    const next = after.findIndex(({ kind }) => kind === "heading");
    const body = afterLine(text, block.end);
    const section = { start: block.start, body, end: endOf(blocks, i, text) };
    found.set(name, { section, own: next < 0 ? after : after.slice(0, next) });
  }
  return found;
}

const afterLine = (text: string, offset: number): number => {
  const lf = text.indexOf("\n", offset);
  return lf < 0 ? text.length : lf + 1;
};

/** Where the section of a heading ends: at the next one of its depth or above. */
function endOf(blocks: readonly Block[], at: number, text: string): number {
  const heading = blocks[at];
  const depth = heading?.kind === "heading" ? heading.depth : 0;
  for (let i = at + 1; i < blocks.length; i++) {
    const block = blocks[i];
    if (block?.kind === "heading" && block.depth <= depth) return block.start;
  }
  return text.length;
}

/** A heading that begins with an item's name has below it what the item is about. */
function readBriefs(blocks: readonly Block[], text: string, items: readonly Item[]): Map<string, string> {
  const names = new Set(items.map(({ id }) => id));
  const briefs = new Map<string, string>();
  for (const [i, block] of blocks.entries()) {
    if (block.kind !== "heading" || block.depth < 3) continue;
    const name = block.text.replaceAll("`", "").split(/[\s:]/)[0] ?? "";
    if (!names.has(name) || briefs.has(name)) continue;
    const body = text.slice(afterLine(text, block.end), endOf(blocks, i, text));
    briefs.set(name, body.replaceAll(/^> ?/gm, "").trim());
  }
  return briefs;
}

/** A person's word. Only lines that stand at the top level count: what a role wrote is quoted, in a cell, or behind a time. */
function readDirectives(name: string, blocks: readonly Block[], text: string): string[] {
  if (!text.includes(name)) return [];
  return blocks
    .flatMap((block) => (block.kind === "lines" ? block.lines : []))
    .map(({ text: line }) => line.trim())
    .flatMap((line) => (line.startsWith(name) ? [line.slice(name.length).trim()] : []))
    .filter((said) => said !== "");
}

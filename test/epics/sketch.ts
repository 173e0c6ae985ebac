import type { Decided } from "../../src/core/epic/decide/decided.ts";
import { DEFAULT_POLICY, type Policy } from "../../src/core/epic/decide/policy.ts";
import { parseSignals } from "../../src/core/epic/decide/signals.ts";
import { textsOf, tick } from "../../src/core/epic/decide/tick.ts";
import { type Epic, type Item, isCorrupt } from "../../src/core/epic/file/epic.ts";
import { parseEpic } from "../../src/core/epic/file/parse.ts";
import { writeStamp } from "../../src/core/epic/file/stamp.ts";
import type { Instant } from "../../src/core/text/ids.ts";

/** An epic in a few words. No-break spaces stand for spaces inside a word. */
export interface Given {
  /** `a queued claude depends=b attempts=1; b done` */
  readonly items: string;
  /** Classes of the memory's rows, oldest first; what follows a colon is their note. */
  readonly rows?: string;
  readonly status?: string;
  readonly epoch?: number;
  readonly seq?: number;
  readonly project?: string;
  readonly branch?: string;
  /** `<item> <worker> <key> [why it failed]` */
  readonly intent?: string;
  /** `id=answer` */
  readonly decisions?: string;
  readonly rollback?: string;
  readonly prose?: string;
  readonly log?: string;
  readonly signals?: readonly object[];
  readonly answer?: string;
  /** Hours the clock is away from where it should be. */
  readonly clock?: number;
  readonly policy?: Partial<Policy>;
}

/** What came of it. */
export interface Seen {
  readonly next: string;
  readonly class: string | null;
  readonly notes: string | null;
  readonly status: string;
  readonly epoch: number;
  readonly seq: number;
  readonly asks: string | null;
  readonly context: string | null;
  /** The item called a: status, surface, pending, dependencies, as far as there are any. */
  readonly a: string;
  readonly attempts: number;
  readonly added: string;
  readonly effects: readonly string[];
  readonly intent: boolean;
  readonly rows: number;
  readonly asked: string;
  /** The last line of the log, without its time. */
  readonly log: string;
  readonly same: boolean;
  readonly ordered: boolean;
}

export const NOW = Date.parse("2026-05-08T12:00:00Z") as Instant;

/** One tick over the sketched epic, looked at in the file it leaves behind. */
export function given(sketch: Given): Seen {
  const text = draw(sketch);
  const epic = read(text);
  const signals = parseSignals(sketch.signals ?? []);
  if (typeof signals === "string") throw new Error(signals);
  const now = (NOW + (sketch.clock ?? 0) * 3_600_000) as Instant;
  const moment = { now, policy: { ...DEFAULT_POLICY, ...sketch.policy } };
  const decided = tick(epic, signals, sketch.answer === undefined ? null : { said: sketch.answer }, moment);
  const { body } = textsOf(decided);
  return look(decided, read(body), epic, body === text);
}

export function read(text: string): Epic {
  const epic = parseEpic(text);
  if (isCorrupt(epic)) throw new Error(`${epic.corrupt}\n${text}`);
  return epic;
}

function look(decided: Decided, after: Epic, before: Epic, same: boolean): Seen {
  const a = after.items.find(({ id }) => id === "a");
  const had = new Set(before.items.map(({ id }) => id));
  const stamps = after.memory.map(({ at }) => at ?? 0);
  return {
    next: decided.next,
    class: decided.row?.class ?? null,
    notes: decided.row?.notes ?? null,
    status: after.status,
    epoch: after.epoch,
    seq: after.seq,
    asks: asksOf(decided),
    context: decided.request?.role === "planner" ? (decided.request.brief.context ?? null) : null,
    a: a === undefined ? "" : inWords(a),
    attempts: a?.attempts ?? 0,
    added: after.items
      .filter(({ id }) => !had.has(id))
      .map((item) => `${item.id} ${inWords(item)}`)
      .join("; "),
    effects: decided.effects.map(effectInWords),
    intent: decided.epic.intent !== null && after.intent === null,
    rows: after.memory.length,
    asked: after.decisions
      .filter(({ answer }) => answer === "")
      .map(({ id }) => id)
      .join(" "),
    log: after.log.at(-1)?.replace(/^- \S+ /, "") ?? "",
    same,
    ordered: stamps.every((stamp, i) => i === 0 || stamp > (stamps[i - 1] ?? 0)),
  };
}

const asksOf = ({ request }: Decided): string | null =>
  request === undefined ? null : request.role === "planner" ? `planner ${request.brief.role}` : request.role;

function inWords({ status, surface, pending, depends }: Item): string {
  const waits = pending === null ? "" : pending.for === "verify" ? "verify" : `react: ${pending.why}`;
  const needs = depends.length > 0 ? `depends ${depends.join(", ")}` : "";
  return [status, surface, waits, needs].filter((word) => word !== "").join(" ");
}

function effectInWords(effect: Decided["effects"][number]): string {
  if (effect.type === "dispatch") return `dispatch ${effect.item} ${effect.worker} ${effect.key}`;
  if (effect.type === "create") return `create ${effect.items.map(({ id }) => id).join(",")} ${effect.key}`;
  return `notify ${effect.text}`;
}

/** The file of a sketch. */
export function draw(sketch: Given): string {
  const rows = words(sketch.rows ?? "", " ").map((word, i, all) => {
    const [name = "", note = ""] = word.split(":");
    return `| ${writeStamp((NOW - (all.length - i) * 1000) as Instant)} | x | ${name} | ${note} |`;
  });
  const [item, worker, key, ...why] = (sketch.intent ?? "").split(" ");
  const intent =
    sketch.intent === undefined
      ? []
      : [`intent: ${JSON.stringify({ item, worker, key, ...(why.length > 0 && { failed: why.join(" ") }) })}`];
  const decisions = words(sketch.decisions ?? "", ";")
    .map((word) => word.split("="))
    .map(([id, answer]) => `| ${id} | Why? | | | | ${answer} |`);
  return [
    ...[
      "---",
      "id: e",
      `status: ${sketch.status ?? "queued"}`,
      `epoch: ${sketch.epoch ?? 1}`,
      `seq: ${sketch.seq ?? 0}`,
    ],
    ...(sketch.project === undefined ? [] : [`project: ${sketch.project}`]),
    ...(sketch.branch === undefined ? [] : [`branch: ${sketch.branch}`]),
    ...[...intent, "---", sketch.prose ?? "", "", "## Work Items"],
    "| # | ID | Title | Status | Worker | Review surface | Notes | Depends | Attempts | Last activity | Pending |",
    "|---|---|---|---|---|---|---|---|---|---|---|",
    ...words(sketch.items, ";").map((each, i) => drawItem(each.trim(), i)),
    ...["", "## Rollback Plan", sketch.rollback ?? "", "", "## Pattern Memory"],
    ...["| Tick (ISO) | Decision | Class | Notes |", "|---|---|---|---|", ...rows, "", "## Pending Decisions"],
    ...["| ID | Question | Options | Default | Raised | Answer |", "|---|---|---|---|---|---|", ...decisions],
    ...["", "## Supervisor Log", ...(sketch.log === undefined ? [] : ["", `- 2026-05-08T11:00:00Z ${sketch.log}`]), ""],
  ]
    .join("\n")
    .replaceAll("\u00a0", " ");
}

function drawItem(sketch: string, i: number): string {
  const [id = "", status = "", ...rest] = sketch.split(" ");
  const [first = ""] = rest;
  const worker = first.includes("=") ? "" : first;
  const value = (name: string) => rest.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  const active = value("active") === "" ? "" : writeStamp((NOW + Number(value("active")) * 60_000) as Instant);
  const cells = [
    i + 1,
    id,
    `Item ${id}`,
    status,
    worker,
    value("surface"),
    value("notes"),
    value("depends"),
    value("attempts"),
    active,
    value("pending").replace(":", ": "),
  ];
  return `| ${cells.map((cell) => cell || "—").join(" | ")} |`;
}

const words = (text: string, at: string): string[] => text.split(at).filter((word) => word.trim() !== "");

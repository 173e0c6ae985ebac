import { oneLine } from "../../core/epic/decide/decided.ts";
import { countsInWords, type EpicView } from "../../core/epic/decide/show.ts";

const MARKS: Readonly<Record<string, string>> = {
  done: "✓",
  ready_for_user_review: "✓",
  in_progress: "▶",
  queued: "○",
  ready: "○",
  blocked: "✗",
  review: "?",
  cancelled: "–",
};

/** Statuses that only a person's word ends. */
const WAITING: ReadonlySet<string> = new Set(["review", "blocked"]);

/** An epic for a terminal: its items with what they wait for, the brake, what a person has to say. */
export function renderView(view: EpicView): string {
  const wide = Math.max(4, ...view.items.map(({ id }) => id.length));
  const items = view.items.map(({ id, title, status, waitsFor, surface, pending, worker, attempts }) => {
    const more = [worker, surface, pending, attempts > 1 ? `attempt ${attempts}` : null].filter(
      (each) => each !== null,
    );
    const waits = waitsFor.length === 0 ? "" : `  ← ${waitsFor.join(", ")}`;
    return `  ${MARKS[status] ?? "·"} ${id.padEnd(wide)}  ${status.padEnd(12)} ${oneLine(title, 60)}${waits}${more.length > 0 ? `  [${more.join(", ")}]` : ""}`;
  });
  const open = view.decisions.filter(({ answer }) => answer === undefined);
  return [
    `${view.id}: ${view.title}`,
    `status ${view.status}, epoch ${view.epoch}, tick ${view.seq}${view.halted === undefined ? "" : `, ${view.status === "ready_for_user_review" ? "ended" : "halted"}: ${view.halted}`}`,
    "",
    ...(items.length > 0 ? items : ["  no items yet"]),
    "",
    `brake: ${view.brake.reason ?? (countsInWords(view.brake.counts) || "nothing counted")}`,
    ...open.map(({ id, question }) => `needs you: ${question} (\`banksman epic answer ${view.id} ${id} "…"\`)`),
    `next: ${WAITING.has(view.status) ? `you: \`banksman epic promote ${view.id}\` continues it` : (view.next ?? "nothing")}`,
    "",
  ].join("\n");
}

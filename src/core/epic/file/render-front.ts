import type { Epic, EpicState } from "./epic.ts";
import type { Splice } from "./splice.ts";
import { writeStamp } from "./stamp.ts";

/** The keys of the frontmatter that differ: a value in its place, a new key below the others, a dropped one with its line. */
export function spliceFront(epic: Epic): Splice[] {
  const { layout, state } = epic.origin;
  const [was, now] = [fields(state), fields(epic)];
  return Object.keys(now).flatMap((key) => {
    const [before, after] = [was[key] ?? null, now[key] ?? null];
    if (before === after) return [];
    const place = layout.front.keys.get(key);
    if (after === null) return place === undefined ? [] : [{ start: place.lineStart, end: place.lineEnd, text: "" }];
    if (place === undefined) {
      const end = layout.front.end;
      return [{ start: end, end, text: `${key}: ${after}${layout.eol}` }];
    }
    const space = epic.origin.text[place.valueStart - 1] === ":" ? " " : "";
    return [{ start: place.valueStart, end: place.valueEnd, text: `${space}${after}` }];
  });
}

/** As YAML, each on one line; null where the key is not written. */
function fields({ status, epoch, seq, halted, lease, intent }: EpicState): Record<string, string | null> {
  return {
    status,
    epoch: String(epoch),
    seq: String(seq),
    halted: halted === "" ? null : JSON.stringify(halted),
    lease: lease === null ? null : JSON.stringify({ by: lease.by, until: writeStamp(lease.until) }),
    intent: intent === null ? null : JSON.stringify(intent.failed === null ? { ...intent, failed: undefined } : intent),
  };
}

import { expect, it } from "vitest";
import type { JournalView } from "../record/journal-view.ts";
import type { Instant } from "../text/ids.ts";
import { decideConflicts } from "./decide-conflicts.ts";
import type { Foresight } from "./foresee.ts";

const NOW = 5 as Instant;
const settings = { windowSeconds: 60 } as never;
const pair: Foresight = {
  between: ["feat-a", "feat-b"],
  base: false,
  prediction: { outcome: "conflict", files: [{ path: "README", kind: "content", hunks: [] }] } as never,
  since: NOW,
};

const decide = (...here: string[]) => {
  const view = {
    entry: (agent: string) => (here.includes(agent) ? {} : null),
    openQuestions: new Map(),
  } as unknown as JournalView;
  const predictions = { pairs: [pair], unknown: new Set<string>(), touched: () => null };
  return decideConflicts({ open: [], told: [] }, { now: NOW, view, settings, predictions });
};

it("counts a conflict as told only where both are there to hear it", () => {
  const both = decide("feat-a", "feat-b");
  expect([both.says?.length, both.events[0]?.told.length]).toEqual([2, 1]);
  // Predicted before they were purged, and decided on after that: their successors are told.
  const gone = decide();
  expect([gone.says?.length, gone.events[0]?.told.length]).toEqual([0, 0]);
});

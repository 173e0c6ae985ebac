import { CONFLICT_LANE } from "../../core/conflicts/open-conflicts.ts";
import { everyonesPlans } from "../../core/conflicts/plans-of.ts";
import { type ConflictsView, conflictLines, drawConflicts } from "../../core/conflicts/view.ts";
import type { CheckKey } from "../../core/gates/check.ts";
import { COMBINATIONS_LANE } from "../../core/gates/combinations.ts";
import { verificationLane } from "../../core/gates/verification.ts";
import { LAND_LANE } from "../../core/landing/reduce-landing.ts";
import { type LandingView, viewLanding } from "../../core/landing/view.ts";
import { freshCursor, receiptOf } from "../../core/messages/cursors.ts";
import { inOneLine } from "../../core/messages/finding.ts";
import { delivered, type StoredMessage } from "../../core/messages/messages.ts";
import { sentence } from "../../core/messages/wording.ts";
import { countFitting } from "../../core/record/page.ts";
import { assignmentsOf, inboxBegins, unclaimedSpecs } from "../../core/session/read-session.ts";
import type { AgentId, Instant } from "../../core/text/ids.ts";
import { iso } from "../../core/text/instant.ts";
import { drawNeeds, drawSnapshot, type Scene, type Snapshot } from "../../core/views/snapshot.ts";
import type { Ports } from "../../ports/ports.ts";
import type { AgentProcesses } from "../agents/agent-processes.ts";
import type { PredictionKeeper } from "../conflicts/keep-predictions.ts";
import type { SlotPool } from "../gates/slot-pool.ts";
import type { Journal } from "../journal/journal.ts";
import type { Place } from "../loop/place.ts";
import { look } from "./look.ts";

/** What can be seen with a journal alone; a running supervisor adds its living agents. */
export interface Records extends Pick<Ports, "store">, Partial<Pick<Ports, "clock">> {
  readonly journal: Journal;
  readonly processes: AgentProcesses;
  readonly place: Pick<Place, "project" | "repository">;
  readonly predictions?: PredictionKeeper;
  readonly pool?: Pick<SlotPool, "runs">;
}

const MOST_MESSAGES = 1_000;

export async function viewSnapshot(records: Records, supervisor: Scene["supervisor"]): Promise<Snapshot> {
  return drawSnapshot(await sceneOf(records, supervisor));
}

/** Everything that needs a person now. */
export async function viewQuestions(records: Records, supervisor: Scene["supervisor"]) {
  return drawNeeds(await sceneOf(records, supervisor));
}

async function sceneOf(records: Records, supervisor: Scene["supervisor"]): Promise<Scene> {
  const { journal, store, processes, place, predictions, clock } = records;
  const { project, repository } = place;
  const now = clock?.now() ?? null;
  const conflicts = now === null ? [] : conflictLines(viewConflicts(records, predictions?.current() ?? null, now));
  const combinations = journal.state(COMBINATIONS_LANE)?.red ?? [];
  const scene = {
    project,
    repository,
    supervisor,
    now,
    conflicts,
    combinations,
    landing: landingOf(records),
    red: redOf(journal),
  };
  return { ...scene, ...(await look(journal, store, processes)) };
}

function redOf(journal: Journal): Map<AgentId, string> {
  const red = new Map<AgentId, string>();
  for (const { agent } of assignmentsOf(journal)) {
    const judged = journal.state(verificationLane(agent))?.judged;
    if (judged?.verdict === "fail")
      red.set(agent, judged.findings[0] === undefined ? "" : inOneLine(judged.findings[0]));
  }
  return red;
}

/** Nobody who runs no supervisor knows what time it is to one: a train that stands still is as old as it was. */
function landingOf({ journal, clock, pool }: Records): LandingView | null {
  const state = journal.state(LAND_LANE);
  if (state === null || state.began === null) return null;
  const now = clock?.now() ?? state.ended ?? state.began;
  return viewLanding(state, now, (check) => runningOf(pool?.runs(check as CheckKey) ?? null, now));
}

const runningOf = (running: ReturnType<SlotPool["runs"]>, now: Instant) =>
  running === null ? null : { gate: running.gate, seconds: (now - running.since) / 1000, line: running.line };

/** The message log, in git-paw's shape and ours; `null` is from the oldest that is kept. */
export async function viewLog({ journal, store }: Records, from: number | null, limit: number) {
  const since = from ?? journal.compacted;
  const entries = await store.log(since, limit);
  // Asked after the read: what a compaction took away in between is missed, not skipped.
  journal.requireKept(since);
  return {
    entries: entries.map((entry) => ({
      seq: entry.seq,
      at: iso(entry.at),
      timestamp_unix_secs: Math.floor(entry.at / 1000),
      from: entry.sender,
      to: entry.to,
      text: sentence(entry.message),
      message: delivered(entry),
    })),
    last_seq: entries.at(-1)?.seq ?? since,
    /** The newest there is, and where the log begins by now: behind this number. */
    head: journal.head,
    kept: journal.compacted,
  };
}

export type LogView = Awaited<ReturnType<typeof viewLog>>;

/** What banksman itself decided and did. */
export async function viewEffects({ store }: Records, since: number | null, limit: number) {
  const effects = await store.effects(since ?? 0, limit);
  return effects.map(({ id, lane, at, effect, settledAt, outcome }) => ({
    id,
    lane,
    at: iso(at),
    effect: effect.type,
    settledAt: settledAt === null ? null : iso(settledAt),
    outcome,
  }));
}

export type EffectsView = Awaited<ReturnType<typeof viewEffects>>;

/** What an agent has been sent, with how far it has come. */
export async function viewInbox({ journal, store }: Records, reader: AgentId) {
  const cursor = journal.cursor(reader) ?? freshCursor(reader);
  const messages = await newest(store, reader, inboxBegins(journal, reader));
  return messages.map(({ seq, sender, at, message }) => {
    const receipt = receiptOf(cursor, seq, message.type);
    const marks = { delivered: receipt !== "queued", acted: receipt === "acted" };
    return { seq, type: message.type, from: sender, text: sentence(message), at: iso(at), ...marks };
  });
}

/** The last ones, in order, as many as fit into a page. */
async function newest(
  store: Records["store"],
  reader: AgentId,
  { joined, from }: ReturnType<typeof inboxBegins>,
): Promise<StoredMessage[]> {
  let messages: StoredMessage[] = [];
  for (let after = from; ; ) {
    const page = await store.inbox({ reader, after, joined, limit: MOST_MESSAGES });
    if (page.length === 0) return messages;
    const both = [...messages, ...page].slice(-MOST_MESSAGES);
    const sizes = both.map(({ message }) => JSON.stringify(message).length);
    messages = both.slice(-countFitting(sizes.reverse()));
    after = page.at(-1)?.seq ?? after;
  }
}

export type InboxView = Awaited<ReturnType<typeof viewInbox>>;

/** What stands between agents now, by what they say and by what merging their present work shows. */
export function viewConflicts(
  { journal }: Pick<Records, "journal">,
  current: ReturnType<PredictionKeeper["current"]>,
  now: Instant,
): ConflictsView {
  const problems = current?.predictions.problems ?? [];
  return drawConflicts({
    plans: [...everyonesPlans(journal), ...unclaimedSpecs(journal)],
    open: journal.state(CONFLICT_LANE)?.open ?? [],
    pairs: current?.predictions.pairs ?? [],
    unknown: [...new Set(problems.map(({ between }) => between.join(" × ")))],
    checkedAt: current?.at ?? now,
    now,
  });
}

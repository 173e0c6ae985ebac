import type { Region } from "../claims/claim.ts";
import { containersOf, meet, regionsOf } from "../claims/claim-paths.ts";
import { shareRegions } from "../claims/regions.ts";
import type { Question } from "../messages/questions.ts";
import type { AgentId, Instant } from "../text/ids.ts";
import type { Overlap, Plans, Touch } from "./plans.ts";
import { Reach } from "./reach.ts";
import * as text from "./texts.ts";

export interface ConflictSettings {
  readonly windowSeconds: number;
  readonly warnOnIntentOverlap: boolean;
  readonly escalateOnViolation: boolean;
  readonly settleByTrialMerge?: boolean;
}

/** Two agents at one path, and since when: unresolved after the window, a person is asked. */
export interface InFlight {
  readonly between: readonly [AgentId, AgentId];
  readonly path: string;
  readonly since: Instant;
  /** Asked about, or found to be apart in the file: decided once while it lasts. */
  readonly decided: boolean;
  /** What both have really merges without a conflict: nobody is asked as long as it does. */
  readonly settled?: boolean;
}

export interface Detection {
  readonly feedback: readonly { readonly to: AgentId; readonly errors: readonly string[] }[];
  readonly questions: readonly Escalation[];
  readonly open: readonly InFlight[];
}

/** What a person is asked, and who hears the answer. */
export interface Escalation {
  readonly text: string;
  readonly between: readonly AgentId[];
  /** Set where the question is over once they are no longer both at one of them. */
  readonly paths?: readonly string[];
}

export interface Cause {
  readonly before: Plans | null;
  readonly after: Plans;
  readonly others: Iterable<Plans>;
  readonly open: readonly InFlight[];
  readonly now: Instant;
}

/** Agents whose warnings would not fit into one message are told of the first paths, and how many more there are. */
const MOST_PATHS = 20;

/**
 * What an agent's news means for the others: shared now and not shared before is told to both. Nothing else is
 * remembered than since when two are at one path, so the same news twice warns once, and a fault made again warns again.
 */
export function detect({ before, after, others, open, now }: Cause, settings: ConflictSettings): Detection {
  const feedback: { to: AgentId; errors: readonly string[] }[] = [];
  const questions: Escalation[] = [];
  const mine = new Reach(after, now);
  const was = before === null ? null : new Reach(before, now);
  // With the same plan only a file that was not modified before can be news: of a thousand agents that is most of it.
  const fresh = was !== null && after.intent === before?.intent ? newFiles(was, after) : null;
  const kept = open.filter(({ between }) => !between.includes(after.agent));
  const known = new Map<AgentId, readonly InFlight[]>();
  for (const { between, entries } of byPair(open)) {
    const [a, b] = between;
    if (a === after.agent || b === after.agent) known.set(a === after.agent ? b : a, entries);
  }
  for (const plans of others) {
    if (plans.agent === after.agent) continue;
    const theirs = new Reach(plans, now);
    const between = ordered(after.agent, plans.agent);
    const lasting = known.get(plans.agent) ?? [];
    const errors: Pair = { mine: [], theirs: [] };
    if (settings.warnOnIntentOverlap && after.intent !== before?.intent) warnForward(mine, was, theirs, errors);
    const shared = fresh === null ? touching(mine, theirs) : touchingAt(mine, theirs, fresh);
    const news = [...shared.values()].filter(({ path }) => was === null || touchAt(was, theirs, path) === null);
    const violations = warnViolations(fresh ?? after.files, mine, was, theirs, errors);
    warnInFlight(news, after.agent, plans.agent, errors);
    if (settings.escalateOnViolation && violations.length > 0) questions.push(askViolation(violations, after, plans));
    if (errors.mine.length > 0) feedback.push({ to: after.agent, errors: errors.mine });
    if (errors.theirs.length > 0) feedback.push({ to: plans.agent, errors: errors.theirs });
    kept.push(...lasting.filter(({ path }) => touchAt(mine, theirs, path) !== null));
    const since = new Set(lasting.map(({ path }) => path));
    for (const path of shared.keys()) if (!since.has(path)) kept.push({ between, path, since: now, decided: false });
  }
  return { feedback, questions, open: kept };
}

/**
 * The same for everything that is so already, where nobody was told of it: agents are warned of each other from now on.
 * What is `open` is known.
 */
export function detectStanding(
  plans: readonly Plans[],
  open: readonly InFlight[],
  now: Instant,
  settings: ConflictSettings,
): Detection {
  const feedback: { to: AgentId; errors: readonly string[] }[] = [];
  const questions: Escalation[] = [];
  const kept = [...open];
  const all = plans.map((each) => new Reach(each, now));
  const known = new Set(open.map(({ between, path }) => [...between, path].join(" ")));
  for (const [i, one] of all.entries()) {
    for (const other of all.slice(i + 1)) {
      const between = ordered(one.plans.agent, other.plans.agent);
      const errors: Pair = { mine: [], theirs: [] };
      if (settings.warnOnIntentOverlap) warnForward(one, null, other, errors);
      const news = [...touching(one, other).values()].filter(({ path }) => !known.has([...between, path].join(" ")));
      const mine = warnViolations(one.plans.files, one, null, other, errors);
      const flipped: Pair = { mine: errors.theirs, theirs: errors.mine };
      const theirs = warnViolations(other.plans.files, other, null, one, flipped);
      warnInFlight(news, one.plans.agent, other.plans.agent, errors);
      if (settings.escalateOnViolation) {
        if (mine.length > 0) questions.push(askViolation(mine, one.plans, other.plans));
        if (theirs.length > 0) questions.push(askViolation(theirs, other.plans, one.plans));
      }
      if (errors.mine.length > 0) feedback.push({ to: one.plans.agent, errors: errors.mine });
      if (errors.theirs.length > 0) feedback.push({ to: other.plans.agent, errors: errors.theirs });
      kept.push(...news.map(({ path }) => ({ between, path, since: now, decided: false })));
    }
  }
  return { feedback, questions, open: kept };
}

/**
 * The same for an artifact: its files were modified, if only for a moment that nobody saw. Whoever shares them is told;
 * they are finished, so no timer runs.
 */
export function detectFinished(cause: Cause, finished: readonly string[], settings: ConflictSettings): Detection {
  const { before, after } = cause;
  const seen = new Set(before?.files);
  const unseen = finished.filter((path) => !seen.has(path));
  if (unseen.length === 0) return detect(cause, settings);
  const during = { ...(before ?? after), files: [...seen, ...unseen] };
  const told = detect({ ...cause, after: during }, settings);
  const left = detect({ ...cause, before: during, open: told.open }, settings);
  return {
    feedback: [...told.feedback, ...left.feedback],
    questions: [...told.questions, ...left.questions],
    open: left.open,
  };
}

const newFiles = ({ files }: Reach, after: Plans): string[] => after.files.filter((file) => !files.has(file));

/** What the passing of time means: overlaps that ended end, and those that outlived the window are decided. */
export function decideOpen(
  open: readonly InFlight[],
  plansOf: (agent: AgentId) => Plans | null,
  now: Instant,
  { windowSeconds }: ConflictSettings,
): Detection {
  const feedback: { to: AgentId; errors: readonly string[] }[] = [];
  const questions: Escalation[] = [];
  const still = byPair(open).flatMap(({ between, entries }): InFlight[] => {
    const [one, other] = between.map(plansOf);
    if (!one || !other) return [];
    const [a, b] = [new Reach(one, now), new Reach(other, now)];
    const shared = touching(a, b);
    const lasting = entries.filter(({ path }) => shared.has(path));
    const isDue = ({ decided, settled, since }: InFlight) =>
      !decided && !settled && now - since >= windowSeconds * 1000;
    const due = lasting.filter(isDue).map(({ path }) => path);
    const additive = due.filter((path) => apart(a, b, path));
    const asked = due.filter((path) => !additive.includes(path));
    if (additive.length > 0) {
      feedback.push({ to: one.agent, errors: [text.additive(additive, other.agent)] });
      feedback.push({ to: other.agent, errors: [text.additive(additive, one.agent)] });
    }
    if (asked.length > 0)
      questions.push({
        text: text.askInFlight(asked, one.agent, other.agent, windowSeconds),
        between,
        paths: asked,
      });
    return lasting.map((each) => (isDue(each) ? { ...each, decided: true } : each));
  });
  return { feedback, questions, open: still };
}

/** A person is asked about two agents, not about each of the files they share. */
export function byPair(
  open: readonly InFlight[],
): { readonly between: InFlight["between"]; readonly entries: InFlight[] }[] {
  const pairs = new Map<string, { readonly between: InFlight["between"]; readonly entries: InFlight[] }>();
  for (const each of open) {
    const key = each.between.join(" ");
    const pair = pairs.get(key) ?? { between: each.between, entries: [] };
    pair.entries.push(each);
    pairs.set(key, pair);
  }
  return [...pairs.values()];
}

/** Whether nobody has to decide any more who goes on: the two are no longer both at any of the paths. */
export function isOver({ concerns, paths }: Pick<Question, "concerns" | "paths">, open: readonly InFlight[]): boolean {
  if (paths === undefined || concerns === undefined) return false;
  const asked = new Set(paths);
  return !open.some(({ between, path }) => asked.has(path) && between.every((agent) => concerns.includes(agent)));
}

/** When the next of them has to be decided, or null. */
export function nextDue(open: readonly InFlight[], { windowSeconds }: ConflictSettings): Instant | null {
  const due = open
    .filter(({ decided, settled }) => !decided && !settled)
    .map(({ since }) => since + windowSeconds * 1000);
  return due.length === 0 ? null : (Math.min(...due) as Instant);
}

interface Pair {
  readonly mine: string[];
  readonly theirs: string[];
}

const SEEN_BY_OTHER = {
  both: "both",
  "modifies-planned": "plans-modified",
  "plans-modified": "modifies-planned",
} as const;

/** How two are at one path; null where they are not both at it. */
function touchAt(a: Reach, b: Reach, path: string): Touch | null {
  const [mine, theirs] = [a.modifies(path), b.modifies(path)];
  if (mine && theirs) return { path, how: "both" };
  if (theirs) return a.plansFor(path) ? { path, how: "plans-modified" } : null;
  return mine && b.plansFor(path) ? { path, how: "modifies-planned" } : null;
}

function touchingAt(a: Reach, b: Reach, paths: readonly string[]): Map<string, Touch> {
  const found = paths.map((path) => touchAt(a, b, path)).filter((touch) => touch !== null);
  return new Map(found.map((touch) => [touch.path, touch]));
}

function touching(a: Reach, b: Reach): Map<string, Touch> {
  const found = new Map<string, Touch>();
  for (const path of b.plans.files) {
    if (a.files.has(path)) found.set(path, { path, how: "both" });
    else if (a.claims.length > 0 && a.plansFor(path)) found.set(path, { path, how: "plans-modified" });
  }
  if (b.claims.length > 0)
    for (const path of a.plans.files)
      if (!found.has(path) && b.plansFor(path)) found.set(path, { path, how: "modifies-planned" });
  return found;
}

function warnInFlight(news: readonly Touch[], one: AgentId, other: AgentId, errors: Pair): void {
  for (const { path, how } of news.slice(0, MOST_PATHS)) {
    errors.mine.push(text.inFlight(path, how, other));
    errors.theirs.push(text.inFlight(path, SEEN_BY_OTHER[how], one));
  }
  if (news.length <= MOST_PATHS) return;
  errors.mine.push(text.more(news.length - MOST_PATHS, other));
  errors.theirs.push(text.more(news.length - MOST_PATHS, one));
}

const askViolation = (paths: readonly string[], violator: Plans, owner: Plans): Escalation => ({
  text: text.askViolation(paths, violator.agent, owner.agent, owner.absent),
  between: owner.absent ? [violator.agent] : [violator.agent, owner.agent],
});

function warnForward(mine: Reach, was: Reach | null, theirs: Reach, errors: Pair): void {
  const before = was === null ? new Set<string>() : new Set(overlaps(was, theirs).map(({ words }) => words));
  const news = overlaps(mine, theirs).filter(({ words }) => !before.has(words));
  if (news.length === 0) return;
  errors.mine.push(text.forward(theirs.plans.agent, news, MOST_PATHS));
  errors.theirs.push(text.forward(mine.plans.agent, news, MOST_PATHS));
}

/** Who shares so much needs no more of it. */
const MOST_OVERLAPS = 1_000;

/** Claims that meet; regions that are known to be apart in one file do not. */
export function overlaps(a: Reach, b: Reach): Overlap[] {
  if (a.claims.length === 0 || b.claims.length === 0) return [];
  const found: Overlap[] = [];
  for (const [path, others] of candidates(a, b))
    for (const other of others) {
      if (found.length === MOST_OVERLAPS) return found;
      const where = meet(path, other);
      if (where === null) continue;
      const [one, two] = [claimedAt(a, path), claimedAt(b, other)];
      if (one === null || two === null) found.push({ words: where, crossKind: false });
      else {
        const shared = shareRegions(one, two);
        if (shared !== null)
          found.push({ words: `${where} (regions: ${shared.words.join(", ")})`, crossKind: shared.crossKind });
      }
    }
  return found;
}

const claimedAt = ({ exact }: Reach, path: string): readonly Region[] | null => regionsOf(exact.get(path) ?? path);

/** Per claim of the first those of the second that it can meet: what contains it, what it contains, and all there is for a glob. */
function candidates(a: Reach, b: Reach): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const add = (path: string, other: string) =>
    void (found.get(path) ?? found.set(path, new Set()).get(path))?.add(other);
  for (const path of a.exact.keys()) {
    for (const other of containersOf(path)) if (b.exact.has(other)) add(path, other);
    for (const glob of b.globs) add(path, glob);
  }
  for (const other of b.exact.keys()) {
    for (const path of containersOf(other)) if (a.exact.has(path)) add(path, other);
    for (const glob of a.globs) add(glob, other);
  }
  return found;
}

/**
 * Of these paths of mine, those that are theirs by plan or by spec, and not mine; told to me when I begin with it. To give
 * a plan up with the file still edited begins nothing: both know that they are at it, and it may be clean already.
 */
function warnViolations(
  files: readonly string[],
  mine: Reach,
  was: Reach | null,
  theirs: Reach,
  errors: Pair,
): string[] {
  const begun = was === null ? files : files.filter((path) => !was.modifies(path));
  const news = violated(begun, mine, theirs);
  const { agent, absent } = theirs.plans;
  for (const { path, by } of news.slice(0, MOST_PATHS))
    errors.mine.push(text.violation(path, agent, absent ? "absent" : by));
  return news.map(({ path }) => path);
}

interface Violation {
  readonly path: string;
  readonly by: "spec" | "intent";
}

export function violated(files: readonly string[], mine: Reach, theirs: Reach): Violation[] {
  if (theirs.claims.length === 0 && theirs.plans.owned.length === 0) return [];
  return files.flatMap((path) => violation(path, mine, theirs) ?? []);
}

function violation(path: string, mine: Reach, theirs: Reach): Violation | null {
  const byIntent = theirs.plansFor(path);
  if (!byIntent && theirs.plans.owned.length === 0) return null;
  if (mine.owns(path)) return null;
  if (theirs.owns(path)) return { path, by: "spec" };
  return byIntent && !mine.plansFor(path) ? { path, by: "intent" } : null;
}

/** Both have said which parts of the file they are in, and the parts are apart. */
function apart(a: Reach, b: Reach, path: string): boolean {
  const [one, two] = [a, b].map(({ exact }) => exact.get(path)).map((claim) => claim && regionsOf(claim));
  return !!one && !!two && shareRegions(one, two) === null;
}

const ordered = (a: AgentId, b: AgentId): readonly [AgentId, AgentId] => (a < b ? [a, b] : [b, a]);

import { type AgentId, agentLane, type Branch, type Instant } from "../core/ids.ts";
import type { Run } from "../core/run.ts";
import { followOutlook } from "./conflict-watch.ts";
import type { House } from "./house.ts";
import { runsOf, sessionOf } from "./look.ts";
import { createOutlook, type LookOrder, type Outlook } from "./outlook.ts";

/** Edits that come within it are looked at together; the watcher has gathered them for longer already. */
const GATHER_MS = 10;
/** What has failed will not be better at once. */
const AGAIN_MS = 1_000;

/** Keeps what everybody's present work would make of each other current, and tells what is new of it. */
export interface OutlookKeeper {
  /** An agent's worktree is not what it was. */
  edited(agent: AgentId): void;
  /** The branch everything lands on has moved. */
  moved(): void;
  base(): Branch | null;
  /** As of the last look; null before the first. */
  current(): { readonly outlook: Outlook; readonly at: Instant } | null;
  stop(): void;
}

type Needs = Pick<House, "journal" | "clock" | "predictor" | "wake">;

export function keepOutlook(house: Needs, onError: (error: unknown) => void): OutlookKeeper {
  const { journal, clock, predictor } = house;
  const look = createOutlook(predictor);
  const touched = new FirstTouches();
  let edited = new Set<AgentId>();
  /** A look is to come, or under way; and whether something has come since it began. */
  let waiting = false;
  let again = false;
  let over = false;
  let cancel = () => {};
  let current: ReturnType<OutlookKeeper["current"]> = null;

  const refresh = async () => {
    const changed = edited;
    edited = new Set();
    again = false;
    try {
      const order = await lookOrder(house, (run) => run.wanted === "up");
      if (order === null) {
        // Nothing to merge with. It is not looked for again: who brings it back moves it.
        for (const agent of changed) edited.add(agent);
        return;
      }
      for (const { name } of order.agents) touched.see(name, journal.entry(name)?.files ?? [], order.now);
      const outlook = await look({ ...order, edited: changed });
      if (over) return;
      current = { outlook, at: clock.now() };
      const unknown = new Set(outlook.problems.flatMap(({ between }) => between));
      const facts = { pairs: outlook.pairs, unknown, touched: touched.when };
      const woken = await journal.transact((put) => followOutlook(journal, put, facts, clock.now()));
      for (const agent of new Set(woken)) if (journal.lanes.has(agentLane(agent))) house.wake(agentLane(agent));
    } catch (error) {
      for (const agent of changed) edited.add(agent);
      throw error;
    }
  };
  const soon = (ms = GATHER_MS) => {
    again = true;
    if (waiting || over) return;
    waiting = true;
    let pause = GATHER_MS;
    cancel = clock.after(ms, () => {
      refresh()
        .catch((error: unknown) => {
          again = true;
          pause = AGAIN_MS;
          onError(error);
        })
        .finally(() => {
          waiting = false;
          if (again) soon(pause);
        });
    });
  };
  return {
    edited(agent) {
      edited.add(agent);
      soon();
    },
    moved: () => soon(),
    base: () => sessionOf(journal)?.base ?? null,
    current: () => current,
    stop() {
      over = true;
      cancel();
    },
  };
}

/** One look at all that is there, where nobody keeps it current. Null without a session. */
export async function lookOnce(
  house: Pick<House, "journal" | "clock" | "predictor">,
): Promise<ReturnType<OutlookKeeper["current"]>> {
  const order = await lookOrder(house, () => true);
  return order === null ? null : { outlook: await createOutlook(house.predictor)(order), at: order.now };
}

async function lookOrder(
  { journal, clock, predictor }: Pick<House, "journal" | "clock" | "predictor">,
  counts: (run: Run) => boolean,
): Promise<LookOrder | null> {
  const session = sessionOf(journal);
  const commit = session === null ? null : await predictor.commitOf(`refs/heads/${session.base}`);
  if (session === null || commit === null) return null;
  const runs = runsOf(journal).filter((run) => run.ready && counts(run));
  return {
    agents: runs.map(({ agent, worktree, setUp }) => ({ name: agent, worktree, skip: setUp.copy })),
    base: { name: session.base, commit },
    now: clock.now(),
  };
}

/** When each agent was first seen to have changed a path. What was there before we looked came before everything else. */
class FirstTouches {
  private readonly seen = new Map<AgentId, Map<string, Instant>>();

  see(agent: AgentId, files: readonly string[], now: Instant): void {
    const known = this.seen.get(agent);
    const at = known ?? new Map<string, Instant>();
    const time = known === undefined ? (0 as Instant) : now;
    for (const file of files) if (!at.has(file)) at.set(file, time);
    this.seen.set(agent, at);
  }

  when = (agent: string, path: string): Instant | null => this.seen.get(agent as AgentId)?.get(path) ?? null;
}

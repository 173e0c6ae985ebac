import { agentLane } from "../../core/agents/reduce-assignment.ts";
import { wakes } from "../../core/messages/waking.ts";
import type { Change } from "../../core/record/changes.ts";
import type { JournalView } from "../../core/record/journal-view.ts";
import type { Lane } from "../../core/record/lane.ts";
import { accept, type Saying } from "../../core/record/publish.ts";
import type { Reaction } from "../../core/record/step.ts";
import { beforeMessage, followMessage } from "../../core/session/follow-message.ts";
import type { Instant, LaneKey } from "../../core/text/ids.ts";

/** The journal as a transaction needs it: with the versions that lanes have. */
interface Versioned extends JournalView {
  readonly lanes: ReadonlyMap<LaneKey, { readonly version: number }>;
}

/** One commit while it is being made. What is put is seen at once by whoever decides next. */
export class Transaction {
  constructor(
    private readonly journal: Versioned,
    readonly put: (change: Change) => void,
    private readonly woken: Set<LaneKey>,
  ) {}

  /** An event for a lane, which is woken by it. The only way a lane's state changes. */
  send<State, Event>(lane: Lane<State, Event>, event: Event): void {
    this.advance(lane, [event]);
    this.woken.add(lane.key);
  }

  /** The same for a lane that is awake, because it has decided this itself. */
  advance<State, Event>(lane: Lane<State, Event>, events: readonly Event[]): void {
    const before = this.journal.state(lane);
    const after = events.reduce((state, event) => lane.rules.reduce(state, event), before);
    if (after === before) return;
    const { key } = lane;
    const row = this.journal.lanes.get(key);
    if (after !== null) this.put({ row: "lane", put: { lane: key, version: (row?.version ?? 0) + 1, state: after } });
    else if (row !== undefined) this.put({ row: "lane", drop: key });
  }

  /** Stores a message with everything that follows from it. Answers with its seq. */
  say(said: Saying, at: Instant): number {
    const before = beforeMessage(this.journal, said.message);
    this.store(said, at);
    const seq = this.journal.head;
    for (const reaction of followMessage(this.journal, said.message, before, at)) this.react(reaction, at);
    return seq;
  }

  /** What a rule has answered. What it says is not followed up: rules do not answer each other. */
  react({ says = [], changes = [], sends = [], wakes: look = [] }: Reaction, at: Instant): void {
    for (const said of says) this.store(said, at);
    for (const change of changes) this.put(change);
    for (const { lane, event } of sends) this.send(lane, event);
    for (const key of look) this.woken.add(key);
  }

  private store(said: Saying, at: Instant): void {
    for (const change of accept(this.journal, said, at)) {
      this.put(change);
      if (change.row !== "message") continue;
      for (const agent of change.put.to)
        if (wakes(change.put.message.type, agent)) this.woken.add(agentLane(agent).key);
    }
  }
}

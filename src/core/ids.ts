/** Names that mean one thing each. They are plain strings at run time; the brand stops one being passed for another. */
export type AgentId = string & { readonly brand: "AgentId" };
export type RunId = string & { readonly brand: "RunId" };
export type Branch = string & { readonly brand: "Branch" };
export type Commit = string & { readonly brand: "Commit" };
/** `session`, `session/<agent>`, later `issue/<n>`, `epic/<id>`, `land`, `repo`. */
export type LaneKey = string & { readonly brand: "LaneKey" };
/** Milliseconds since 1970 UTC; shown as ISO 8601 (instant.ts). */
export type Instant = number & { readonly brand: "Instant" };

/** The inbox of whoever supervises: the console, or a model in pane 0. Never an agent's id. */
export const SUPERVISOR = "supervisor" as AgentId;
/** Who speaks when a person does. Never an agent's id. */
export const OPERATOR = "operator" as AgentId;
/** The recipient of a broadcast. Not a valid id, so no inbox can be called so. */
export const EVERYONE = "*" as AgentId;

/** Ids that carry authority in messages: a branch of that name gets another id, or it could speak with that voice. */
export const RESERVED_IDS: ReadonlySet<string> = new Set([SUPERVISOR, OPERATOR, "banksman", "broker", "human", "all"]);

export const SESSION_LANE = "session" as LaneKey;
/** Who is at one path with whom, and since when. */
export const CONFLICT_LANE = "conflicts" as LaneKey;
/** Worktrees of agents that we did not start. */
export const WATCH_LANE = "watch" as LaneKey;
export const agentLane = (agent: AgentId): LaneKey => `session/${agent}` as LaneKey;
export const laneAgent = (lane: LaneKey): AgentId | null =>
  lane.startsWith("session/") ? (lane.slice("session/".length) as AgentId) : null;

/** Names that mean one thing each. They are plain strings at run time; the brand stops one being passed for another. */
export type AgentId = string & { readonly brand: "AgentId" };
export type RunId = string & { readonly brand: "RunId" };
export type Branch = string & { readonly brand: "Branch" };
export type Commit = string & { readonly brand: "Commit" };
/** Where a lane's state and effects are in the journal: `session`, `session/<agent>`, `conflicts`, `watch`. */
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

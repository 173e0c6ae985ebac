/** A command as an agent on GROUND would run it: what is said of it, by which rule, and what is remarkable about it. */
export type Row = readonly [decision: "approve" | "ask" | "deny", rule: string, command: string, note?: string];

import type { Asks, Json } from "./reference-broker.ts";

/** One thing that happens to a broker. */
export type Operation =
  | { readonly do: "publish"; readonly who: string; readonly bodies: readonly Json[]; readonly many: boolean }
  | { readonly do: "read"; readonly who: string; readonly agent: string; readonly asks: Asks }
  | { readonly do: "log"; readonly since: number | null; readonly limit: number }
  | { readonly do: "compact"; readonly kept: number }
  | { readonly do: "restart" };

export const AGENTS = ["a", "b", "feat-c", "main", "supervisor"] as const;
const PATHS = ["src/a.ts", "src/b.ts", "docs", "x"];
const TEXTS = ["RS256?", "which lib?", "q1", "日本語"];
const WORDS = ["working", "working", "working", "waiting", "idle", "done", "booting", "committed", "verified"];

/** The same seed makes the same history: what fails can be played again. */
export class Histories {
  constructor(private state: number) {}

  /** The next operation, given how far the log has come. */
  next(head: number): Operation {
    const at = this.below(1000);
    if (at < 640) return this.publish();
    if (at < 900) return this.read(head);
    if (at < 970) return { do: "log", since: this.cursor(head), limit: 1 + this.below(40) };
    if (at < 995) return { do: "compact", kept: this.below(300) };
    return { do: "restart" };
  }

  private publish(): Operation {
    const who = this.chance(5) ? "operator" : this.pick(AGENTS);
    const many = this.chance(10);
    const bodies = Array.from({ length: many ? 1 + this.below(5) : 1 }, () => this.body(who));
    return { do: "publish", who, bodies, many };
  }

  private body(who: string): Json {
    // Now and then somebody speaks as another, which only the operator may.
    const self = who === "operator" || this.chance(40) ? this.pick(AGENTS) : who;
    const extra = {
      ...(this.chance(6) && { key: `k${this.below(8)}` }),
      ...(this.chance(12) && { re: this.pick(TEXTS) }),
    };
    if (this.chance(50)) return { type: "agent.question", agent_id: self, payload: { question: "<what>" }, bad: 1 };
    return { ...this.message(self, who), ...extra };
  }

  private message(self: string, who: string): Json {
    const all = who === "operator" ? 12 : who === "supervisor" ? 10 : 6;
    const files = this.some(PATHS);
    switch (this.chance(30) ? this.below(12) : this.below(all)) {
      case 0:
        return this.status(self, files);
      case 1:
        return {
          type: "agent.artifact",
          agent_id: self,
          payload: { status: this.pick(["committed", "done", "shipped"]), exports: [], modified_files: files },
        };
      case 2:
        return this.blocked(self, this.pick(AGENTS));
      case 3:
        return { type: "agent.question", agent_id: self, payload: { question: this.pick(TEXTS) } };
      case 4: {
        const payload = { files: files.length === 0 ? ["y"] : files, summary: "s", valid_for_seconds: 900 };
        return { type: "agent.intent", agent_id: self, payload };
      }
      case 5:
        return { type: "agent.retract", agent_id: self, payload: this.chance(2) ? { files } : { files: null } };
      case 6:
        return { type: "agent.feedback", agent_id: this.pick(AGENTS), payload: { from: self, errors: ["e"] } };
      case 7: {
        const re = this.chance(2) ? { re: this.pick(TEXTS) } : {};
        return { type: "agent.answer", agent_id: this.pick(AGENTS), payload: { from: self, answer: "y", ...re } };
      }
      case 8:
        return { type: "agent.verified", agent_id: this.pick(AGENTS), payload: { verified_by: self } };
      case 9: {
        const branch = this.chance(2) ? { branch_id: this.pick(AGENTS) } : {};
        const rest = { category: "c", title: "t", body: {}, timestamp: "now" };
        return { type: "agent.learning", payload: { id: "i", agent_id: self, ...branch, ...rest } };
      }
      case 10:
        return {
          type: "agent.advanced-main",
          from: self,
          merged_branch: "m",
          new_main_sha: "s",
          base: "main",
          merged_at: "t",
        };
      default:
        return { type: "supervisor.verify-now", branch_id: self };
    }
  }

  /** Nobody waits for itself. */
  private blocked(self: string, from: string): Json {
    return { type: "agent.blocked", agent_id: self, payload: { needs: "x", from }, ...(from === self && { bad: 1 }) };
  }

  private status(self: string, files: string[]): Json {
    const payload = { status: this.pick(WORDS), modified_files: files, message: this.chance(2) ? "m" : null };
    return { type: "agent.status", agent_id: self, payload };
  }

  private read(head: number): Operation {
    const agent = this.chance(12) ? "stranger" : this.pick(AGENTS);
    const who = this.chance(6)
      ? "operator"
      : this.chance(30)
        ? this.pick(AGENTS)
        : agent === "stranger"
          ? "operator"
          : agent;
    const how = this.pick(["read", "read", "unread", "unread", "peek", "ack"] as const);
    const since = how === "unread" ? null : how === "ack" ? this.below(head + 2) : this.cursor(head);
    return { do: "read", who, agent, asks: { since, limit: 1 + this.below(30), how } };
  }

  /** Mostly near the end, where readers are; sometimes from long ago, from the start, or from beyond. */
  private cursor(head: number): number | null {
    const at = this.below(10);
    if (at < 2) return null;
    if (at < 3) return 0;
    if (at < 4) return this.below(head + 3);
    return Math.max(0, head - this.below(60));
  }

  private some = (from: readonly string[]): string[] => from.filter(() => this.chance(3));
  private chance = (of: number): boolean => this.below(of) === 0;
  private pick = <T>(from: readonly T[]): T => from[this.below(from.length)] as T;

  /** Mulberry32: 32 bits of state, good enough to wander about. */
  private below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }
}

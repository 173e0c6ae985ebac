import type { Decided, EpicEffect, RoleRequest } from "../../src/core/epic/decide/decided.ts";
import { DEFAULT_POLICY, type Policy } from "../../src/core/epic/decide/policy.ts";
import type { Signal } from "../../src/core/epic/decide/signals.ts";
import { textsOf, tick } from "../../src/core/epic/decide/tick.ts";
import { isCorrupt } from "../../src/core/epic/file/epic.ts";
import { parseEpic } from "../../src/core/epic/file/parse.ts";
import type { Instant } from "../../src/core/text/ids.ts";
import { NOW } from "./sketch.ts";

/** Thrown where a test has the power cut. */
export class Crash extends Error {}

/** A file, workers that come back, and roles that answer what they can: a whole epic without an engine. */
export class World {
  now: Instant = NOW;
  ticks = 0;
  /** Dispatches that were carried out, by key; asking again for one of them does nothing. */
  readonly dispatched = new Map<string, number>();
  readonly notices = new Map<string, number>();
  readonly roles: string[] = [];
  private signals: Signal[] = [];
  /** Which effect of which tick the power is cut at: before or after it. */
  cut: { readonly at: number; readonly when: "before" | "after" } | null = null;
  private performed = 0;

  constructor(
    public text: string,
    private readonly luck: (what: string) => boolean,
    private readonly policy: Policy = DEFAULT_POLICY,
  ) {}

  /** One tick as the engine takes it: save the intent, do what is outside, save again. */
  step(): Decided {
    this.ticks++;
    this.now = (this.now + 60_000) as Instant;
    const epic = parseEpic(this.text);
    if (isCorrupt(epic)) throw new Error(epic.corrupt);
    const moment = { now: this.now, policy: this.policy };
    const planned = tick(epic, this.signals, null, moment);
    const decided = planned.request
      ? tick(epic, this.signals, { said: this.answer(planned.request) }, moment)
      : planned;
    const { intent, body } = textsOf(decided);
    this.point(() => {
      this.text = intent;
    });
    this.signals = [];
    for (const effect of decided.effects) this.point(() => this.perform(effect));
    this.point(() => {
      this.text = body;
    });
    return decided;
  }

  /** Until nothing moves any more: at its end, halted, or waiting for somebody. */
  run(most: number): Decided | null {
    for (let i = 0; i < most; i++) {
      const decided = this.step();
      if (decided.next === "noop" && this.signals.length === 0) return decided;
    }
    return null;
  }

  private point(act: () => void): void {
    const here = this.cut?.at === this.performed++ ? this.cut.when : null;
    if (here === "before") throw new Crash();
    act();
    if (here === "after") throw new Crash();
  }

  private perform(effect: EpicEffect): void {
    if (effect.type === "notify") this.notices.set(effect.key, (this.notices.get(effect.key) ?? 0) + 1);
    if (effect.type !== "dispatch" || this.dispatched.has(effect.key)) return;
    this.dispatched.set(effect.key, 1);
    const { item } = effect;
    const pr = this.luck(`deliver ${item}`) ? `https://x/pull/${item}` : null;
    this.signals.push({ item, kind: "exit", code: pr === null ? 1 : 0, pr });
  }

  /** Roles that want the epic done: they take the first thing they may, and file fixes for what fails. */
  protected answer(request: RoleRequest): string {
    this.roles.push(request.role);
    if (!this.luck(`understand ${request.role}`)) return "I am not sure what to say.";
    if (request.role === "critic")
      return JSON.stringify({ verdict: this.luck("safe") ? "SAFE_TO_DISPATCH" : "NEEDS_REFINEMENT", reason: "r" });
    if (request.role === "verifier") {
      if (this.luck(`pass ${request.item}`)) return '{"verdict":"PASS"}';
      return JSON.stringify({ verdict: this.luck("sure") ? "FAIL" : "REVISE", reason: "red" });
    }
    const { brief } = request;
    if (brief.role === "decompose")
      return JSON.stringify({ action: "decompose", items: [{ title: "One" }, { title: "Two", depends: ["$1"] }] });
    if (brief.role === "react")
      return this.luck("retry")
        ? JSON.stringify({ action: "dispatch", task_id: request.item, worker: this.workerOf(request.item ?? "") })
        : JSON.stringify({ action: "file_fix_task", parent: request.item, title: "Mend it", body: "Find the cause." });
    const [first] = brief.candidates ?? [];
    return JSON.stringify({ action: "dispatch", task_id: first?.id, worker: first?.worker || "claude" });
  }

  private workerOf(id: string): string {
    const epic = parseEpic(this.text);
    return isCorrupt(epic) ? "" : epic.items.find((item) => item.id === id)?.worker || "claude";
  }
}

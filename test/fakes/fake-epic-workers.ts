import { rowsIn, whyBehind } from "../../src/core/epic/decide/behind.ts";
import type { EpicEffect, RoleRequest } from "../../src/core/epic/decide/decided.ts";
import { isOut } from "../../src/core/epic/decide/item-state.ts";
import type { Signal } from "../../src/core/epic/decide/signals.ts";
import type { RoleAnswer } from "../../src/core/epic/decide/tick.ts";
import type { Epic } from "../../src/core/epic/file/epic.ts";
import type { Dispatcher, Notifier, Roles } from "../../src/ports/epic.ts";

/** Answers as told, by role; a role nobody told anything is a person's. `meanwhile` is what happens while it thinks. */
export class FakeRoles implements Roles {
  readonly asked: RoleRequest[] = [];
  readonly answers = new Map<string, RoleAnswer>();
  meanwhile: () => void = () => undefined;

  async ask(request: RoleRequest): Promise<RoleAnswer> {
    this.asked.push(request);
    this.meanwhile();
    return this.answers.get(request.role) ?? { person: true };
  }
}

/** Sends once per key. `fails` is why it cannot, `ends` how workers of an item come back; until then they are silent. */
export class FakeDispatcher implements Dispatcher {
  /** Every key it was asked to send, also in vain. */
  readonly asked: string[] = [];
  readonly sent: (EpicEffect & { type: "dispatch" })[] = [];
  readonly ends = new Map<string, { readonly code: number; readonly pr: string | null }>();
  fails: string | null = null;
  /** Workers who cannot be sent. */
  readonly missing = new Set<string>();

  async dispatch(effect: EpicEffect & { type: "dispatch" }, epic: Epic): Promise<string | null> {
    this.asked.push(effect.key);
    if (this.fails !== null) return this.fails;
    const same = this.sent.find(({ key }) => key === effect.key);
    const last = [...this.sent].sort((a, b) => rowsIn(b.key) - rowsIn(a.key))[0];
    const known = (sent: typeof last) => (sent === undefined ? null : { key: sent.key, item: sent.item, at: null });
    const behind = whyBehind(epic, effect, { same: known(same), last: known(last) });
    if (behind === null && same === undefined) this.sent.push(effect);
    return behind;
  }

  async unable(workers: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return new Map(workers.flatMap((name) => (this.missing.has(name) ? [[name, "is not installed"]] : [])));
  }

  async observe(epic: Epic): Promise<readonly Signal[]> {
    return epic.items.filter(isOut).flatMap(({ id }) => {
      const end = this.sent.some(({ item }) => item === id) ? this.ends.get(id) : undefined;
      return end === undefined ? [] : [{ item: id, kind: "exit" as const, ...end }];
    });
  }
}

/** Remembers what a person was told. */
export class FakeNotifier implements Notifier {
  readonly told = new Map<string, string>();

  async notify(key: string, text: string): Promise<void> {
    if (!this.told.has(key)) this.told.set(key, text);
  }
}

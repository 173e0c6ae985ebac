import type { RoleRequest } from "../../core/epic/decide/decided.ts";
import type { RoleAnswer } from "../../core/epic/decide/tick.ts";
import { type Epic, isCorrupt, type Lease } from "../../core/epic/file/epic.ts";
import { renderEpic } from "../../core/epic/file/render.ts";
import type { Roles } from "../../ports/epic.ts";
import type { EpicStore } from "../../ports/epic-store.ts";
import { readEpic } from "./read-epic.ts";

interface Question {
  readonly place: string;
  readonly called: string;
  readonly epic: Epic;
  readonly request: RoleRequest;
  readonly version: string;
  readonly lease: Lease;
}

interface Heard {
  /** The epic as it is in the file now, without our lease. */
  readonly epic: Epic;
  readonly version: string;
  readonly answer: RoleAnswer;
}

/** A role takes minutes: the file says so, and other ticks wait. Null where somebody changed the file meanwhile. */
export async function askUnderLease(
  { store, roles }: { store: EpicStore; roles: Roles },
  question: Question,
): Promise<Heard | null> {
  const { place, epic, request, version, lease, called } = question;
  if (!(await store.save(place, renderEpic({ ...epic, lease }), version))) return null;
  const answer = await roles.ask(request, epic);
  const stored = await store.read(place);
  const now = stored?.text == null ? null : await readEpic(stored.text, called);
  if (stored === null || now === null || isCorrupt(now) || now.lease?.by !== lease.by) return null;
  const free = { ...now, lease: null };
  // Another host may have bounded our lease by its clock: that is no change.
  if (renderEpic(free) !== renderEpic({ ...epic, lease: null })) {
    await store.save(place, renderEpic(free), stored.version);
    return null;
  }
  return { epic: free, version: stored.version, answer };
}

import type { SetUpReport } from "../../core/gates/check.ts";
import { SET_UP_FILES, setUpKey } from "../../core/gates/set-up-key.ts";
import type { SessionSettings } from "../../core/session/settings.ts";
import type { Branch, Commit } from "../../core/text/ids.ts";
import type { History } from "../../ports/history.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Slots } from "../../ports/slots.ts";
import { layCopies, runSetUp } from "../agents/set-up-checkout.ts";
import type { Place } from "../loop/place.ts";

export interface Preparing extends Pick<Ports, "files" | "command" | "clock"> {
  readonly slots: Slots;
  readonly history: History;
  readonly place: Place;
  settings(): Promise<SessionSettings>;
}

export interface SlotOrder {
  readonly slot: number;
  readonly commit: Commit;
  readonly base: { readonly branch: Branch; readonly commit: Commit };
  readonly objects: readonly string[];
  readonly log: string;
}

/**
 * Makes a slot ready for a commit: its files, then what set-up leaves. What set-up left before, for the same lock files,
 * is copied back. Only what it left in a checkout of the base is kept for others: a branch could leave anything there.
 */
export async function prepareSlot(context: Preparing, order: SlotOrder): Promise<SetUpReport> {
  const begun = context.clock.now();
  const { slots } = context;
  const { slot, commit, base } = order;
  const report = (how: SetUpReport["how"], warnings: readonly string[]): SetUpReport => ({
    how,
    seconds: (context.clock.now() - begun) / 1000,
    warnings,
  });
  const { setUp } = await context.settings();
  const nothing = setUp.command === null && setUp.copy.length === 0 && setUp.symlink.length === 0;
  const lay = (at: Commit) => slots.lay(slot, { commit: at, base, objects: order.objects });
  if (nothing) {
    await lay(commit);
    return report("none", []);
  }
  const [key, baseKey] = await Promise.all([
    keyAt(context, commit, setUp, order.objects),
    keyAt(context, base.commit, setUp, []),
  ]);
  await lay(commit);
  if (await slots.bring(slot, key)) return report("kept", []);
  const fill = async () => {
    const { folder } = slots.place(slot);
    return [...(await layCopies(context, folder, setUp)), ...(await runSetUp(context, folder, setUp, order.log))];
  };
  if (key !== baseKey) return report("ran", await fill());
  await lay(base.commit);
  const warnings = await fill();
  // What a set-up left that did not work is no beginning for anybody.
  if (warnings.length === 0) await slots.keep(slot, key);
  if (commit === base.commit) return report("ran", warnings);
  await lay(commit);
  if (warnings.length === 0) await slots.bring(slot, key);
  else warnings.push(...(await fill()));
  return report("ran", warnings);
}

async function keyAt(
  { history, place }: Pick<Preparing, "history" | "place">,
  commit: Commit,
  { command, copy, symlink }: SessionSettings["setUp"],
  objects: readonly string[],
): Promise<string> {
  const ids = await history.ids(commit, SET_UP_FILES, objects);
  return setUpKey({ ids, command, copy, symlink, tools: place.tools });
}

import type { Timers } from "../../core/session/timers.ts";
import type { Ports } from "../../ports/ports.ts";
import { reviveRolePanes } from "./session-panes.ts";

type Needs = Parameters<typeof reviveRolePanes>[0] & Pick<Ports, "clock"> & { readonly timers: Pick<Timers, "revive"> };

/** Looks from time to time whether the console and the dashboard are still there: quitting one of them stops nothing. */
export function watchRolePanes(context: Needs, onError: (error: unknown) => void): () => void {
  let stopped = false;
  let cancel = () => {};
  const turn = async () => {
    await reviveRolePanes(context).catch(onError);
    if (!stopped) cancel = context.clock.after(context.timers.revive, turn);
  };
  cancel = context.clock.after(context.timers.revive, turn);
  return () => {
    stopped = true;
    cancel();
  };
}

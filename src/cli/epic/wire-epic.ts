import { hostname } from "node:os";
import { systemClock } from "../../adapters/system/clock.ts";
import { epicFiles } from "../../adapters/system/epic-files.ts";
import { DEFAULT_POLICY, type Policy } from "../../core/epic/policy.ts";
import type { EpicPorts } from "../../modes/epic/take-tick.ts";
import type { Io } from "../command.ts";

/** What a tick works with. */
export interface EpicWorld {
  readonly ports: EpicPorts;
  readonly policy: Policy;
}

/** Without a supervisor, and without a repository if need be. */
export function wireEpic(_io: Io): EpicWorld {
  return {
    policy: { ...DEFAULT_POLICY, by: `${hostname()}:${process.pid}` },
    ports: {
      store: epicFiles,
      now: () => systemClock.now(),
      roles: { ask: async () => ({ person: true }) },
      dispatcher: { dispatch: async () => "no worker can be sent by this version", observe: async () => [] },
      notifier: { notify: async () => undefined },
    },
  };
}

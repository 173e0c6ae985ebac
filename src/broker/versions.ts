import type { EngineContext } from "../engine/context.ts";

/** A number that grows with everything a snapshot shows, so that a client can wait for the next one. */
export function createVersions({ journal, clock }: Pick<EngineContext, "journal" | "clock">) {
  let version = 1;
  const waiting = new Set<() => void>();
  journal.onStored(() => {
    version++;
    for (const wake of [...waiting]) wake();
  });
  return {
    /** The current version, once it is beyond `seen`, or after `ms`, or when the client has gone. */
    async after(seen: number, ms: number, gone: AbortSignal): Promise<number> {
      if (version > seen || ms === 0) return version;
      await new Promise<void>((resolve) => {
        const done = () => {
          cancel();
          waiting.delete(done);
          resolve();
        };
        const cancel = clock.after(ms, done);
        waiting.add(done);
        gone.addEventListener("abort", done, { once: true });
      });
      return version;
    },
  };
}

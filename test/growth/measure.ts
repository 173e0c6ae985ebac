import type { Shape } from "./shapes.ts";

export const SIZES = [10_000, 100_000, 1_000_000] as const;

/** Ten times the input may take thirty times as long (memory, garbage); quadratic work takes a hundred times. */
const MOST_GROWTH = 30;
/** Below this, what is measured is the machine. In milliseconds of this process, not of the clock on the wall. */
const NOISE_MS = 150;
/** Of several tries the shortest counts: everything else is somebody else's. */
const TRIES = 3;

export interface Growth {
  /** Milliseconds of CPU at each size, as far as it was tried. */
  readonly times: readonly number[];
  readonly linear: boolean;
}

/** Stops at the first size that takes too long: the next one might take an hour. */
export async function growthOf(
  run: (text: string) => unknown,
  shape: Shape,
  sizes: readonly number[] = SIZES,
): Promise<Growth> {
  const times: number[] = [];
  let before = await costOf(run, shape(1_000));
  for (const size of sizes) {
    const most = before * MOST_GROWTH + NOISE_MS;
    const time = await costOf(run, shape(size), most);
    times.push(time);
    if (time > most) return { times, linear: false };
    before = time;
  }
  return { times, linear: true };
}

/** Tried again only while it is too slow: nearly everything is fast at the first try. */
export async function costOf(
  run: (text: string) => unknown,
  text: string,
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES; i++) {
    const begun = process.cpuUsage();
    await run(text);
    const { user, system } = process.cpuUsage(begun);
    best = Math.min(best, (user + system) / 1_000);
    if (best <= most && (best < NOISE_MS || i > 0)) break;
  }
  return best;
}

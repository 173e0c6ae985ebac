import { DEFAULT_WORKERS, type Registry } from "./workers.ts";

/** The numbers an epic is supervised by. The seed's are the defaults; `[epic]` changes them. */
export interface Policy {
  /** How many rows of this epoch the brake looks at, and how often one failure may stand in them. */
  readonly window: number;
  readonly recurring: number;
  /** How many workers may be silent for how long. */
  readonly stalledWorkers: number;
  readonly stalledMs: number;
  /** How long a single worker may be silent; null where that alone stops nothing. */
  readonly singleStallMs: number | null;
  readonly reactHalts: number;
  /** Tries at one item, fixes included, after which a person is asked. */
  readonly attempts: number;
  /** Rows the file keeps. */
  readonly rows: number;
  /** What a decomposition may have: direct children, hours of one, files of one. */
  readonly children: number;
  readonly hours: number;
  readonly files: number;
  readonly workers: Registry;
  /** Who is taking the tick: its own lease does not hold it up. */
  readonly by: string;
}

export const HOUR = 3_600_000;

export const DEFAULT_POLICY: Policy = {
  window: 8,
  recurring: 3,
  stalledWorkers: 2,
  stalledMs: 4 * HOUR,
  singleStallMs: null,
  reactHalts: 2,
  attempts: 3,
  rows: 16,
  children: 7,
  hours: 4,
  files: 10,
  workers: DEFAULT_WORKERS,
  by: "",
};

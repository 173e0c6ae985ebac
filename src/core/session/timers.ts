import { parseObject } from "../text/json-fields.ts";
import { JsonReader } from "../text/json-reader.ts";

/** How long we wait for people, programs and each other, in milliseconds. One record, so that tests can shorten it. */
export interface Timers {
  /** Between two texts that are pasted into one pane: what comes meanwhile is pasted together. */
  readonly betweenPastes: number;
  /** How long a shell must be there, with nothing in it, to be taken for a bare one. */
  readonly bareShell: number;
  /** A question that is still there this long after it was answered is another one, or has not taken the key. */
  readonly askedAgain: number;
  /** How often it is looked whether the console and the dashboard are still there. */
  readonly revive: number;
  /** How long a supervisor that holds the lock may take until it answers: it may be reading a large journal. */
  readonly connect: number;
  /** How long agents' work has to stay as it is before it is tested together. */
  readonly workRests: number;
  /** How often a supervisor looks whether it is still needed, and how long it stays without a session. */
  readonly lookAround: number;
  readonly idle: number;
  /** How often what need not be kept any more is taken out of the journal. */
  readonly compact: number;
}

export const TIMERS: Timers = {
  betweenPastes: 30_000,
  bareShell: 2_000,
  askedAgain: 3_000,
  revive: 5_000,
  connect: 10_000,
  workRests: 3_000,
  lookAround: 5_000,
  idle: 60_000,
  compact: 60_000,
};

/** Some of them shortened, from `BANKSMAN_TEST_TIMERS`. Anything but a JSON object of known timers changes nothing. */
export function readTimers(text: string | undefined): Timers {
  const fields = text === undefined ? null : parseObject(text);
  if (fields === null) return TIMERS;
  const read = new JsonReader();
  read.only(fields, Object.keys(TIMERS), "the timers");
  const own = Object.entries(TIMERS).map(([name, usual]) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : usual;
    return [name, read.integer(value, name, 0, usual)];
  });
  return read.problem === null ? (Object.fromEntries(own) as unknown as Timers) : TIMERS;
}

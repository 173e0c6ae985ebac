import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** A process that holds something, told apart from a later one that was given its number. */
export interface Holder {
  readonly host: string;
  readonly pid: number;
  /** In the kernel's ticks since its boot; null where the system does not say. */
  readonly started: number | null;
}

export function ourselves(): Holder {
  const started = look(process.pid);
  return { host: hostname(), pid: process.pid, started: started === "ended" ? null : started };
}

/** Whether it is a process of this machine that is not there any more. Of another machine's nothing is known. */
export function isGone({ host, pid, started }: Holder): boolean {
  if (host !== hostname()) return false;
  const seen = look(pid);
  if (seen === null) return !answers(pid);
  return seen === "ended" || (started !== null && started !== seen);
}

export const writeHolder = ({ host, pid, started }: Holder): string =>
  [host, pid, ...(started === null ? [] : [started])].join(":");

/** Also without its start, as it was written before that was noted. */
export function readHolder(text: string): Holder | null {
  const [, host, pid, started] = /^([^:]*):(\d{1,10})(?::(\d{1,15}))?$/.exec(text) ?? [];
  if (host === undefined) return null;
  return { host, pid: Number(pid), started: started === undefined ? null : Number(started) };
}

/** When it was started; one that has ended and that nobody took note of (a zombie) has ended. Null: there is no telling. */
function look(pid: number): number | "ended" | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? "ended" : Number(fields[19]);
  } catch {
    return null;
  }
}

function answers(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** How long a process may take to go after it was asked to, before it is killed. */
export const GRACE_MS = 5_000;
const LOOK_EVERY_MS = 25;

/** The name of the variable by which every process we start, and every child of it, is known as ours. */
export const MARKER = "BANKSMAN_RUN";

/** Sends a signal to a whole group; false when there is none any more. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch {
    return false;
  }
}

/** Asks the group to end, kills it after `graceMs`, and resolves when no member is left (zombies do not count). */
export async function endGroup(leader: number, graceMs = GRACE_MS): Promise<void> {
  signalGroup(leader, "SIGTERM");
  const killAt = performance.now() + graceMs;
  let killed = false;
  while (groupLives(leader)) {
    if (!killed && performance.now() >= killAt) {
      signalGroup(leader, "SIGKILL");
      killed = true;
    }
    await sleep(LOOK_EVERY_MS);
  }
}

function groupLives(leader: number): boolean {
  if (!signalGroup(leader, 0)) return false;
  if (process.platform !== "linux") return true;
  return processes().some((pid) => statOf(pid)?.group === leader && statOf(pid)?.state !== "Z");
}

/**
 * Kills every process that carries a marker starting with `prefix`, whatever group or parent it has moved to; resolves
 * with how many there were, once none is left. What cleared its environment cannot be found: only a sandbox holds that.
 */
export async function killMarked(prefix: string, spare: ReadonlySet<string> = new Set()): Promise<number> {
  const killed = new Set<number>();
  const unreadable = new Set<number>();
  for (;;) {
    const living = processes().filter((pid) => pid !== process.pid && isProgram(pid));
    const marked = living.filter((pid) => {
      const marker = markerOf(pid);
      return marker?.startsWith(prefix) && !spare.has(marker);
    });
    // In the middle of an exec a process shows no environment at all for a moment: looked at a second time.
    const hidden = living.filter((pid) => environmentOf(pid) === "" && !unreadable.has(pid));
    if (marked.length === 0 && hidden.length === 0) return killed.size;
    for (const pid of hidden) unreadable.add(pid);
    for (const pid of marked) {
      killed.add(pid);
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It went by itself in between.
      }
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/** The marker in a process's environment as it was at its start; null where it cannot be read. */
export function markerOf(pid: number): string | null {
  const entry = environmentOf(pid)
    ?.split("\0")
    .find((each) => each.startsWith(`${MARKER}=`));
  return entry?.slice(MARKER.length + 1) ?? null;
}

function environmentOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return null;
  }
}

function processes(): number[] {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => Number.isInteger(pid) && pid > 0);
  } catch {
    return [];
  }
}

/** Neither a zombie nor a thread of the kernel's. */
function isProgram(pid: number): boolean {
  const stat = statOf(pid);
  return stat !== null && stat.state !== "Z" && (stat.flags & KERNEL_THREAD) === 0;
}

const KERNEL_THREAD = 0x00200000;

/** State letter, process group and flags from /proc; the command's name may hold spaces and parentheses, so from its end. */
function statOf(pid: number): { state: string; group: number; flags: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state = "", , group = "", , , , flags = ""] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state, group: Number(group), flags: Number(flags) };
  } catch {
    return null;
  }
}

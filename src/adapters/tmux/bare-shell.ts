import { readFileSync } from "node:fs";

/** As the kernel names them; a script is named after its file. */
const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "zsh", "fish", "dash", "ash", "ksh", "tcsh", "csh"]);
const DEEPEST = 5;

/**
 * Whether a process is a shell at its prompt that runs nothing, or a shell that runs nothing but such a one. A shell that
 * was given a command or a script is a program like any other. By /proc, so on Linux alone.
 */
export function isBareShell(pid: number, deep = 0): boolean {
  const name = read(`/proc/${pid}/comm`);
  const children = read(`/proc/${pid}/task/${pid}/children`);
  if (name === null || children === null || !SHELLS.has(name.trim()) || deep > DEEPEST) return false;
  const [child, ...more] = children.trim().split(" ").filter(Boolean).map(Number);
  if (child !== undefined) return more.length === 0 && isBareShell(child, deep + 1);
  const line = read(`/proc/${pid}/cmdline`);
  // While a program takes another's place it has no arguments yet: that says nothing.
  if (line === null || line === "") return false;
  const args = line.split("\0").slice(1, -1);
  return args.every((arg) => /^-/.test(arg) && !/^-[a-z]*c/.test(arg));
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

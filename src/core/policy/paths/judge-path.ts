import { below, inGitFolder } from "../../text/paths.ts";
import { isSecretName } from "../../text/secret-names.ts";
import type { PolicyContext } from "../context.ts";
import { ask, askUnlessSandboxed, deny, type Judgement, worst } from "../decision.ts";
import { normalize } from "./normalize.ts";
import { isProtected, judgeInside } from "./protected.ts";
import { isSecret } from "./secrets.ts";

/** read: what is in it. list: its name and what git or the disk say of it. write: it, or something in it. */
export type Use = "read" | "list" | "write";

/** What is wrong with using an absolute path so, by its name and by where it really leads; null if nothing is. */
export function judgePath(path: string, use: Use, context: PolicyContext): Judgement | null {
  const named = normalize(path, "/");
  const real = context.facts.resolve(path);
  const places = named === real ? [named] : [named, real];
  return worst(places.map((place) => judgePlace(place, use, context)));
}

function judgePlace(path: string, use: Use, context: PolicyContext): Judgement | null {
  if (HARMLESS_DEVICES.has(path)) return null;
  return use === "write" ? judgeWriting(path, context) : judgeReading(path, use, context);
}

const HARMLESS_DEVICES = new Set(["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin"]);
const shown = (path: string): string => JSON.stringify(path);

function judgeWriting(path: string, context: PolicyContext): Judgement | null {
  const { worktree, temp, protectedPaths } = context;
  if (path === worktree) return null;
  if (below(path, worktree)) {
    const inside = judgeInside(path.slice(worktree.length + 1));
    if (inside !== null) return inside;
    return isProtected(
      path,
      protectedPaths.filter((each) => below(each, worktree)),
    )
      ? protectedPath(path)
      : null;
  }
  if (isProtected(path, protectedPaths)) return protectedPath(path);
  if (temp !== null && path !== temp && below(path, temp)) return judgeInside(path.slice(temp.length + 1));
  if (below(path, "/tmp") && path !== "/tmp" && !isAnothers(path, context))
    return askUnlessSandboxed("path.tmp", "It writes to /tmp, which others share; `$TMPDIR` is the agent's own.");
  return deny("path.outside", `It writes to ${shown(path)}, outside the worktree.`);
}

const protectedPath = (path: string): Judgement =>
  deny("path.protected", `It writes to ${shown(path)}, which is protected here.`);

const isAnothers = (path: string, { otherWorktrees, home }: PolicyContext): boolean =>
  below(path, home) || otherWorktrees.some((each) => below(path, each));

const secret = (path: string): Judgement => deny("path.secret", `It reads ${shown(path)}, which holds secrets.`);

/** Files that every program reads, and that tell nothing of this machine's user. */
const OF_SYSTEM = [
  "/usr",
  "/lib",
  "/lib64",
  "/opt",
  "/bin",
  "/sbin",
  "/etc/os-release",
  "/proc/cpuinfo",
  "/proc/meminfo",
];

function judgeReading(path: string, use: Use, context: PolicyContext): Judgement | null {
  const { worktree, temp, home, otherWorktrees } = context;
  if (below(path, worktree)) {
    if (use === "list") return null;
    if (isSecretName(path)) return secret(path);
    if (inGitFolder(path.slice(worktree.length)))
      return ask("path.git.read", "It reads git's own files, which can hold addresses with passwords.");
    return null;
  }
  if (isSecret(path, home)) return secret(path);
  if (path.startsWith("/dev/tcp/") || path.startsWith("/dev/udp/"))
    return deny("network.device", "It opens a network connection by a name below /dev.");
  if (temp !== null && below(path, temp)) return null;
  if (otherWorktrees.some((each) => below(path, each)))
    return ask("path.other-worktree", `It reads ${shown(path)}, in the worktree of another agent.`);
  if (OF_SYSTEM.some((each) => below(path, each)) && !below(path, home)) return null;
  return ask("path.outside.read", `It reads ${shown(path)}, outside the worktree.`);
}

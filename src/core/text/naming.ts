import { fnv1a64 } from "./hash.ts";
import { type AgentId, type Branch, type Instant, RESERVED_IDS } from "./ids.ts";
import { iso } from "./instant.ts";

/** Ids are shown, typed, put in paths and in URLs: 1 to 64 of these characters, nothing else. */
export const AGENT_ID = /^[a-z0-9_-]{1,64}$/;
const LONGEST_PLAIN = 48;
const LONGEST_STEM = 40;

/**
 * Gives every branch an id of its own. `feat/auth` becomes `feat-auth`, as the seed has it; where more than a slash is
 * lost (case, other characters, length, a reserved word) or the plain form is already taken, a hash of the branch
 * follows. Ids already given out (`taken`) never change, so a later branch yields, not an earlier one.
 */
export function nameAgents(
  branches: readonly Branch[],
  taken: ReadonlyMap<AgentId, Branch> = new Map(),
): Map<Branch, AgentId> {
  const owner = new Map(taken);
  const names = new Map<Branch, AgentId>();
  for (const branch of branches) {
    if (names.has(branch)) continue;
    const name = firstFree(candidates(branch), owner, branch);
    owner.set(name, branch);
    names.set(branch, name);
  }
  return names;
}

function* candidates(branch: Branch): Generator<AgentId> {
  const plain = plainSlug(branch);
  if (plain !== null) yield plain;
  const stem = slug(branch).slice(0, LONGEST_STEM) || "agent";
  const hash = fnv1a64(branch);
  for (const digits of [4, 8, 16]) yield `${stem}-${hash.slice(0, digits)}` as AgentId;
  for (let n = 2; ; n++) yield `${stem}-${hash}-${n}` as AgentId;
}

function firstFree(names: Iterable<AgentId>, owner: ReadonlyMap<AgentId, Branch>, branch: Branch): AgentId {
  for (const name of names) if ((owner.get(name) ?? branch) === branch) return name;
  throw new Error("unreachable: the names are endless");
}

/** The slug where nothing but slashes was lost, else null. */
function plainSlug(branch: Branch): AgentId | null {
  const plain = branch.replaceAll("/", "-");
  const kept = AGENT_ID.test(plain) && !plain.startsWith("-") && plain.length <= LONGEST_PLAIN;
  return kept && !RESERVED_IDS.has(plain) ? (plain as AgentId) : null;
}

/** Lower case, everything outside `[a-z0-9_]` one dash, no dash at the ends. May be empty. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
}

/** `bm-<project>-<hash4>`: the tmux session's name and the receipt's. The hash keeps two clones of one project apart. */
export function sessionName(project: string, repository: string): string {
  return `bm-${slug(project).slice(0, 32) || "project"}-${fnv1a64(repository).slice(0, 4)}`;
}

/** The folder below the user's state folder that holds everything about one repository. */
export function stateFolderName(project: string, repository: string): string {
  return `${slug(project).slice(0, 32) || "project"}-${fnv1a64(repository).slice(0, 8)}`;
}

export type Placement = "child" | "sibling";

/** Where an agent's worktree goes. `root` is the main checkout, without a trailing slash. */
export function worktreePath(placement: Placement, root: string, agent: AgentId): string {
  if (placement === "child") return `${root}/.banksman/worktrees/${agent}`;
  const cut = root.lastIndexOf("/");
  return `${root.slice(0, cut)}/${root.slice(cut + 1)}-${agent}`;
}

/** Every removal is saved here first. The instant is part of the recorded effect, so a replay finds its own ref. */
export function backupRef(agent: AgentId, at: Instant): string {
  return `refs/banksman/backup/${agent}/${iso(at).replaceAll(/[-:.]/g, "")}`;
}

/** The backup that a removal made: under the ref it was to use, or under that with a number where it was taken. */
export const madeBackup = (ref: string, made: readonly string[]): string | null => {
  const number = (each: string) => Number(/^-(\d+)$/.exec(each.slice(ref.length))?.[1] ?? 1);
  const own = made.filter((each) => each === ref || /^-\d+$/.test(each.startsWith(ref) ? each.slice(ref.length) : ""));
  return own.sort((a, b) => number(b) - number(a))[0] ?? null;
};

/** Of the supervisor's line to tmux: an orphaned one keeps a server that was told to end from ending. */
export const tmuxMarker = (session: string): string => `${session}-tmux`;

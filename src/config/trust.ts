import { createHash } from "node:crypto";
import { join } from "node:path";
import { below } from "../core/text/paths.ts";
import type { ObeyedFiles } from "../core/worktrees/set-up-files.ts";
import type { ReadOwn } from "./read.ts";

/**
 * What the user has read of one repository, and allowed: all that runs something or loosens a limit. Kept in the user's
 * state folder, never in the repository.
 */
export interface Trust {
  /** Stands for the guarded settings of the repository's config, with their values. */
  readonly hash: string | null;
  readonly keys: Readonly<Record<string, unknown>>;
  /** Checkouts' files that set-up may obey, the latest first. */
  readonly files: readonly ObeyedFiles[];
  /** Programs of the repository's own git config: value by key. */
  readonly programs: Readonly<Record<string, string>>;
  readonly at: string | null;
}

export const NO_TRUST: Trust = { hash: null, keys: {}, files: [], programs: {}, at: null };

export const trustFile = (state: string): string => join(state, "trust.json");

/** Only of this very repository: another clone asks again. */
export function readTrust(state: string, root: string, readOwn: ReadOwn): Trust {
  const record = parse(readOwn(trustFile(state)));
  if (record === null || record.root !== root) return NO_TRUST;
  const { hash, keys, files, programs, at } = record;
  return {
    hash: typeof hash === "string" ? hash : null,
    keys: isTable(keys) ? keys : {},
    files: Array.isArray(files) ? files.filter(isTable).map(textsOf) : [],
    programs: isTable(programs) ? textsOf(programs) : {},
    at: typeof at === "string" ? at : null,
  };
}

function parse(text: string | null): Record<string, unknown> | null {
  try {
    const parsed: unknown = text === null ? null : JSON.parse(text);
    return isTable(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textsOf = (table: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(table).filter((entry): entry is [string, string] => typeof entry[1] === "string"));

/** How many checkouts' files are remembered: branches come and go. */
const MOST_CHECKOUTS = 50;

/** The record with what the user has just read. */
export function writeTrust(
  root: string,
  before: Trust,
  read: Pick<Trust, "keys" | "programs"> & { readonly files: readonly ObeyedFiles[]; readonly at: string },
): string {
  const files = [...read.files, ...before.files].filter((each) => Object.keys(each).length > 0);
  const once = [...new Map(files.map((each) => [JSON.stringify(Object.entries(each).sort()), each])).values()];
  const { keys, programs, at } = read;
  const hash = trustHash(root, new Map(Object.entries(keys)));
  return `${JSON.stringify({ hash, root, keys, files: once.slice(0, MOST_CHECKOUTS), programs, at }, null, 2)}\n`;
}

/** Stands for exactly these values in exactly this repository: another value, or another clone, asks again. */
export function trustHash(root: string, widening: ReadonlyMap<string, unknown>): string {
  const sorted = [...widening].sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([root, sorted]))
    .digest("hex");
}

/** Whether the user's own config says that what lies in a folder is theirs: `~/work` is all repositories below it. */
export function isOwn(root: string, folders: readonly string[], home: string | undefined): boolean {
  const full = folders.map((folder) => (home && /^~(\/|$)/.test(folder) ? `${home}${folder.slice(1)}` : folder));
  return full.some((folder) => folder.startsWith("/") && below(root, folder.replace(/(?<=.)\/+$/, "")));
}

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type Entry, readTranscript, renderTranscript } from "../../core/clis/transcript.ts";
import { stripEscapes } from "../../core/text/strip-escapes.ts";
import type { Files } from "../../ports/files.ts";

/** Below the repository: a folder for each session. */
export const LOGS = ".banksman/logs";

/** Several times what a log is allowed to grow to. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface AgentLog {
  readonly agent: string;
  readonly bytes: number;
  readonly at: string;
}

export async function listLogs(files: Files, root: string, session: string): Promise<AgentLog[]> {
  const folder = `${LOGS}/${session}`;
  const names = (await files.listInside(root, folder)).filter((name) => name.endsWith(".log"));
  return names.flatMap((name) => {
    const stat = lstatSync(join(root, folder, name), { throwIfNoEntry: false });
    if (!stat?.isFile()) return [];
    return [{ agent: name.slice(0, -".log".length), bytes: stat.size, at: stat.mtime.toISOString() }];
  });
}

export interface ReadLog {
  /** The files it is in, the older one first. */
  readonly paths: readonly string[];
  /** What people read. */
  readonly text: string;
  /** What was said and done, in order; null for what a pane has shown. */
  readonly entries: readonly Entry[] | null;
}

/** Null where there is none. */
export async function readLog(files: Files, root: string, session: string, agent: string): Promise<ReadLog | null> {
  const names = [`${agent}.log.1`, `${agent}.log`].map((name) => `${LOGS}/${session}/${name}`);
  const parts = await Promise.all(names.map((name) => files.readInside(root, name, MOST_BYTES)));
  if (parts.every((part) => part === null)) return null;
  const raw = parts.map((part) => part ?? "").join("");
  const entries = readTranscript(raw);
  return {
    paths: names.filter((_, i) => parts[i] !== null).map((name) => join(root, name)),
    text: stripEscapes(entries === null ? raw : renderTranscript(entries)).trimEnd(),
    entries,
  };
}

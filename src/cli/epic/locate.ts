import { existsSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { type Epic, isCorrupt, isId } from "../../core/epic/file/epic.ts";
import { Failed } from "../../core/failure/failed.ts";
import { nearest } from "../../core/text/nearest.ts";
import { readEpic } from "../../modes/epic/read-epic.ts";
import type { EpicStore } from "../../ports/epic-store.ts";
import type { Io } from "../command.ts";
import { findRepository } from "../wire/find-repository.ts";

/** A file that is an epic, and what it is called if it does not say so itself. */
export interface Located {
  readonly place: string;
  readonly called: string;
}

/** Where a repository's own epics are. */
export const epicsFolder = (io: Io): string =>
  join(findRepository(io.cwd, io.env)?.root ?? io.cwd, ".banksman", "epics");

/** By its id in `.banksman/epics`, or by the path of any markdown file. */
export async function locateEpic(name: string, store: EpicStore, io: Io): Promise<Located> {
  const path = resolve(io.cwd, name);
  if (/[/\\]|\.md$/.test(name) || (existsSync(path) && statSync(path).isFile()))
    return { place: path, called: calledAfter(path) };
  const folder = epicsFolder(io);
  const place = join(folder, `${name}.md`);
  if (isId(name) && existsSync(place)) return { place, called: name };
  const known = (await store.list(folder)).map(calledAfter);
  throw new Failed({ kind: "epic.unknown", epic: name, looked: folder, near: nearest(name, known) });
}

/** Those that are named, or all of the repository's own. */
export async function allEpics(names: readonly string[], store: EpicStore, io: Io): Promise<Located[]> {
  if (names.length > 0) return Promise.all(names.map((name) => locateEpic(name, store, io)));
  return (await store.list(epicsFolder(io))).map((place) => ({ place, called: calledAfter(place) }));
}

export const calledAfter = (path: string): string => basename(path).replace(/\.md$/, "");

export interface Opened extends Located {
  readonly epic: Epic;
  readonly version: string;
}

/** The epic, or the failure that says why it cannot be used. */
export async function openEpic(name: string, store: EpicStore, io: Io): Promise<Opened> {
  const located = await locateEpic(name, store, io);
  const { place, called } = located;
  const stored = await store.read(place);
  if (stored === null) throw new Failed({ kind: "epic.unknown", epic: name, looked: place, near: null });
  const epic =
    stored.text === null
      ? { corrupt: "it is not a text in UTF-8, or longer than 8 MB" }
      : await readEpic(stored.text, called);
  if (isCorrupt(epic)) throw new Failed({ kind: "epic.corrupt", path: place, why: epic.corrupt });
  return { ...located, epic, version: stored.version };
}

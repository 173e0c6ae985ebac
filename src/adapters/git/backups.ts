import { Failed } from "../../core/failure/failed.ts";
import type { BackupNote } from "../../core/session/backup-note.ts";
import type { Commit } from "../../core/text/ids.ts";
import type { Backup, Backups } from "../../ports/git.ts";
import { readBatch } from "./batch.ts";
import { noteIn, readNote } from "./read-note.ts";
import type { GitRunner } from "./run.ts";

const HOME = "refs/banksman/backup/";

/** One that cannot be read hides no other: it is named, and left as it is. */
export async function backups(git: GitRunner): Promise<Backups> {
  const { stdout, stderr } = await git.run(["for-each-ref", "--format=%(objectname) %(refname)", HOME]);
  const refs = Buffer.from(stdout)
    .toString("utf8")
    .split("\n")
    .flatMap((line) =>
      line === "" ? [] : [{ commit: line.slice(0, line.indexOf(" ")) as Commit, ref: nameIn(line) }],
    );
  const notes = await readNotes(git, [...new Set(refs.map(({ commit }) => commit))]);
  const found = refs.flatMap(({ ref, commit }): Backup[] => {
    const note = notes.get(commit);
    return note ? [{ ref, ...shown(note) }] : [];
  });
  // Git leaves out a ref without content, and says so.
  const broken = [...stderr.matchAll(/ignoring (?:broken ref|dangling symref|ref with broken name) (refs\/\S+)/g)];
  const unreadable = refs.filter(({ commit }) => !notes.has(commit)).map(({ ref }) => ref);
  return {
    found: found.sort((a, b) => b.at - a.at || (a.ref < b.ref ? 1 : -1)),
    unreadable: [...broken.map(([, ref = ""]) => ref), ...unreadable].filter((ref) => ref.startsWith(HOME)).sort(),
  };
}

const nameIn = (line: string): string => line.slice(line.indexOf(" ") + 1);

const shown = ({ branch, worktree, at, files, commits }: BackupNote) => ({ branch, worktree, at, files, commits });

/** Null for a commit that is not ours; one that cannot be read is missing. */
async function readNotes(git: GitRunner, commits: readonly Commit[]): Promise<Map<Commit, BackupNote | null>> {
  try {
    const objects = await readBatch(git, commits);
    return new Map([...objects].map(([commit, bytes]) => [commit as Commit, noteIn(bytes.toString("utf8"))]));
  } catch (error) {
    if (!isGits(error)) throw error;
    // A damaged object stops git in the middle: then each by itself.
    const notes = new Map<Commit, BackupNote | null>();
    for (const commit of commits) {
      try {
        notes.set(commit, await readNote(git, commit));
      } catch (reason) {
        if (!isGits(reason)) throw reason;
      }
    }
    return notes;
  }
}

const isGits = (error: unknown): boolean => error instanceof Failed && error.failure.kind === "git.failed";

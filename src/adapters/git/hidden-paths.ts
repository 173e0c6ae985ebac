import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { IGNORE_FILE, IGNORED } from "../../core/clis/sidecar.ts";
import type { Commit } from "../../core/text/ids.ts";
import { mayHide } from "../../core/worktrees/ignore-files.ts";
import { readBatch } from "./batch.ts";
import { type ByteName, isText, readable, toBytes } from "./bytes.ts";
import type { GitRunner, WorktreeCall } from "./run.ts";
import type { Scratch } from "./scratch.ts";
import { readSmallFile } from "./small-file.ts";
import { fileAt } from "./status.ts";

type HidingCall = Required<Pick<WorktreeCall, "cwd" | "env">>;

/** Where to look: a worktree or a repository inside, the ignore files in it, and the commit that they are compared with. */
export interface Hiding {
  readonly call: HidingCall;
  readonly ignoreFiles: readonly ByteName[];
  readonly base: Commit | null;
}

/**
 * The files that git ignores only because of an ignore file that nobody has committed. Git says what is ignored now, and
 * then what of it would be ignored in a folder that has the committed ignore files and nothing else.
 */
export async function hiddenPaths(git: GitRunner, scratch: Scratch, hiding: Hiding): Promise<ByteName[]> {
  const { call } = hiding;
  const rules = await rulesIn(git, hiding);
  const own = rules.filter(({ may }) => !may).map(({ name }) => name);
  if (own.length === 0) return [];
  const as = join(mkdtempSync(join(scratch.folder, "rules-")), "tree");
  mkdirSync(as);
  for (const { name, may, text, committed } of rules) {
    const holds = may ? text : committed;
    if (holds === null || !isText(name)) continue;
    mkdirSync(dirname(join(as, readable(name))), { recursive: true });
    writeFileSync(join(as, readable(name)), holds);
  }
  // One inside of a folder that is ignored anyway hides nothing: a package's own, below node_modules.
  const ignoredAnyway = await ignoredBy(git, as, call, own);
  if (own.every((name) => ignoredAnyway.has(name))) return [];
  const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "-z"];
  const ignored = (await git.names(args, call)).filter((name) => fileAt(call.cwd, name) !== null);
  const byRule = await ignoredBy(git, as, call, ignored);
  return ignored.filter((name) => !byRule.has(name));
}

interface Rule {
  readonly name: ByteName;
  readonly text: string;
  readonly committed: string | null;
  readonly may: boolean;
}

async function rulesIn(git: GitRunner, { call, ignoreFiles, base }: Hiding): Promise<Rule[]> {
  const present = ignoreFiles.flatMap((name) => {
    const text = isText(name) ? readSmallFile(join(call.cwd, readable(name))) : null;
    return text === null ? [] : [{ name, text, folder: folderOf(name) }];
  });
  const objects = await objectsAt(git, call, base, [...new Set(present.flatMap(({ name, folder }) => [name, folder]))]);
  const blobs = present.flatMap(({ name }) => objects.get(name) ?? []);
  const contents = await readBatch(git, blobs, call.env);
  return present.map(({ name, text, folder }) => {
    const committed = contents.get(objects.get(name) ?? "")?.toString("utf8") ?? null;
    const besideCommitted = folder === "" || objects.has(folder);
    return { name, text, committed, may: mayHide({ path: readable(name), text, committed, besideCommitted }, OURS) };
  });
}

const OURS = { path: IGNORE_FILE, text: IGNORED };

const folderOf = (name: ByteName): ByteName => name.slice(0, Math.max(0, name.lastIndexOf("/")));

/** Names are arguments here. */
const AT_ONCE = 500;

async function objectsAt(
  git: GitRunner,
  call: HidingCall,
  base: Commit | null,
  names: readonly ByteName[],
): Promise<Map<ByteName, string>> {
  const found = new Map<ByteName, string>();
  const wanted = base === null ? [] : names.filter((name) => name !== "");
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const args = ["ls-tree", "-z", "--full-tree", base ?? "", "--", ...wanted.slice(at, at + AT_ONCE).map(readable)];
    for (const line of await git.names(args, call)) {
      const [, object = "", name = ""] = /^\d+ \w+ ([0-9a-f]+)\t([\s\S]+)$/.exec(line) ?? [];
      found.set(name, object);
    }
  }
  return found;
}

/** Which of these names git would ignore in a folder of ignore files. */
async function ignoredBy(
  git: GitRunner,
  folder: string,
  call: HidingCall,
  names: readonly ByteName[],
): Promise<ReadonlySet<ByteName>> {
  if (names.length === 0) return new Set();
  const env = { ...call.env, GIT_WORK_TREE: folder, GIT_INDEX_FILE: join(folder, "../no-index") };
  const input = toBytes(names.map((name) => `${name}\0`).join(""));
  const answer = { cwd: folder, env, input, answers: [1] };
  return new Set(await git.names(["check-ignore", "--no-index", "-z", "--stdin"], answer));
}

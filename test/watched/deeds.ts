import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { TempRepository } from "../git-repository.ts";
import type { Dice } from "../merges/tree.ts";

/** One checkout that things happen in. */
export interface Yard {
  readonly repo: TempRepository;
  readonly path: string;
  readonly branch: string;
  readonly others: readonly string[];
  readonly dice: Dice;
}

type Deed = (yard: Yard) => void;

/** Texts, quotes, newlines; é in both its forms. */
const NAMES = [
  "plain",
  "with space",
  "q\"uo'te",
  "new\nline",
  "caf\u00e9",
  "cafe\u0301",
  "-dash",
  "[id]",
  "*",
  "a",
  "ab",
  "x.log",
];
const FOLDERS = ["src", "src/deep/er", "n\u00e9w/fol der/in", "a", "ab", "(group)/[slug]"];

const git = ({ repo, path }: Yard, ...args: string[]): string => repo.gitIn(path, ...args);
/** What git refuses here and now is not done. */
const attempt = (yard: Yard, ...args: string[]): boolean => {
  try {
    git(yard, ...args);
    return true;
  } catch {
    return false;
  }
};

const entries = ({ path }: Yard, folders: boolean): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() === folders)
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .filter((name) => !/(^|\/)\.git(\/|$)/.test(name))
    .sort();

const fresh = ({ dice }: Yard): string => {
  const folder = dice.below(2) === 0 ? "" : `${dice.pick(FOLDERS)}/`;
  return `${folder}${dice.pick(NAMES)}`;
};

function write(yard: Yard, name: string | Buffer, text = `${yard.dice.word()}\n`): void {
  try {
    const full = typeof name === "string" ? join(yard.path, name) : Buffer.concat([Buffer.from(`${yard.path}/`), name]);
    if (typeof full === "string") mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  } catch {
    // A file stands where a folder is wanted, or the other way round.
  }
}

/** Conflicts are given up, so that the next deed finds a worktree like any other. */
function whole(yard: Yard, ...args: string[]): void {
  if (!attempt(yard, ...args)) attempt(yard, args[0] ?? "", "--abort");
}

/** Everything an agent, its tools or a person may do in a worktree. What cannot be done at the moment does nothing. */
export const DEEDS: Readonly<Record<string, Deed>> = {
  edit: (yard) => write(yard, yard.dice.pick([...entries(yard, false), "src/one"])),
  create: (yard) => write(yard, fresh(yard)),
  bytes: (yard) => write(yard, Buffer.from([0x66, 0xff, 0x61 + yard.dice.below(3)])),
  remove: (yard) => rmSync(join(yard.path, yard.dice.pick([...entries(yard, false), "src/one"])), { force: true }),
  removeFolder: (yard) => {
    rmSync(join(yard.path, yard.dice.pick([...entries(yard, true), "none"])), { recursive: true, force: true });
  },
  rename: (yard) => {
    const from = yard.dice.pick([...entries(yard, false), "none"]);
    const to = fresh(yard);
    if (!existsSync(join(yard.path, from)) || existsSync(join(yard.path, to))) return;
    write(yard, to);
    if (existsSync(join(yard.path, to))) renameSync(join(yard.path, from), join(yard.path, to));
  },
  renameFolder: (yard) => {
    const from = yard.dice.pick([...entries(yard, true), "none"]);
    const to = `folder-${yard.dice.below(4)}`;
    if (existsSync(join(yard.path, from)) && !existsSync(join(yard.path, to)))
      renameSync(join(yard.path, from), join(yard.path, to));
  },
  link: (yard) => {
    rmSync(join(yard.path, "link"), { recursive: true, force: true });
    symlinkSync(yard.dice.pick(["src", "src/one", "nowhere", "/"]), join(yard.path, "link"));
  },
  chmod: (yard) => {
    const file = yard.dice.pick([...entries(yard, false), "none"]);
    if (existsSync(join(yard.path, file)) && file !== "link")
      chmodSync(join(yard.path, file), yard.dice.pick([0o755, 0o644]));
  },
  swap: (yard) => {
    const path = join(yard.path, "either");
    const isFile =
      existsSync(path) &&
      !readdirSync(yard.path, { withFileTypes: true }).some((e) => e.name === "either" && e.isDirectory());
    rmSync(path, { recursive: true, force: true });
    write(yard, isFile ? "either/in/it" : "either");
  },
  ignore: (yard) =>
    write(
      yard,
      yard.dice.pick([".gitignore", "src/.gitignore"]),
      yard.dice.pick(["build/\n", "*.log\n", "", "deep/\n"]),
    ),
  build: (yard) => {
    for (let i = 0; i < 30; i++) write(yard, `build/${yard.dice.below(5)}/x${i}`);
  },
  burst: (yard) => {
    for (let i = 0; i < 400; i++) write(yard, `burst/${i % 7}/${i}`);
  },
  add: (yard) => void attempt(yard, "add", "--all"),
  unstage: (yard) => void attempt(yard, "reset", "-q"),
  uncache: (yard) => void attempt(yard, "rm", "-q", "--cached", "--ignore-unmatch", "src/one"),
  discard: (yard) => void attempt(yard, "reset", "-q", "--hard"),
  clean: (yard) => void attempt(yard, "clean", "-qfdx"),
  stash: (yard) => void attempt(yard, "stash", "-q", "--include-untracked"),
  pop: (yard) => {
    if (!attempt(yard, "stash", "pop", "-q")) attempt(yard, "reset", "-q", "--hard");
  },
  inner: (yard) => {
    write(yard, "inner/file");
    attempt(yard, "init", "-q", "inner");
  },
  uninner: (yard) => rmSync(join(yard.path, "inner/.git"), { recursive: true, force: true }),
  commit: (yard) => {
    attempt(yard, "add", "--all");
    attempt(yard, "commit", "-q", "-m", yard.dice.word());
  },
  commitSome: (yard) => void attempt(yard, "commit", "-q", "-a", "-m", yard.dice.word()),
  amend: (yard) => void attempt(yard, "commit", "-q", "--amend", "--all", "-m", yard.dice.word()),
  back: (yard) => void attempt(yard, "reset", "-q", yard.dice.pick(["--soft", "--mixed", "--hard"]), "HEAD~1"),
  rebase: (yard) => whole(yard, "rebase", "-q", "main"),
  merge: (yard) => whole(yard, "merge", "-q", "--no-edit", "main"),
  pick: (yard) => whole(yard, "cherry-pick", yard.dice.pick(yard.others)),
  away: (yard) => {
    if (attempt(yard, "switch", "-q", "--discard-changes", "-C", `aside-${yard.branch}`)) write(yard, "aside");
    attempt(yard, "switch", "-q", yard.branch);
  },
  pack: (yard) => void attempt(yard, "pack-refs", "--all"),
  gc: (yard) => void attempt(yard, "gc", "-q", "--prune=now"),
  main: ({ repo, dice }) => {
    repo.write(repo.root, `main/${dice.word()}`, dice.word());
    repo.commit(repo.root, "main");
  },
  vanish: (yard) => {
    const aside = join(dirname(yard.path), "..", "aside");
    renameSync(yard.path, aside);
    renameSync(aside, yard.path);
  },
  recreate: (yard) => {
    const dotGit = readFileSync(join(yard.path, ".git"));
    rmSync(yard.path, { recursive: true });
    mkdirSync(yard.path);
    writeFileSync(join(yard.path, ".git"), dotGit);
    attempt(yard, "reset", "-q", "--hard");
  },
};

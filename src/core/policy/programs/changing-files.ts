import { ask, deny, type Judgement, worst } from "../decision.ts";
import { judgeArgument } from "../paths/judge-argument.ts";
import type { Scope } from "../shell/scope.ts";
import type { Programs } from "./entry.ts";
import { judgeRemoval } from "./judge-removal.ts";
import type { ReadOptions } from "./read-options.ts";

const recursive = (name: string): Judgement =>
  deny(`files.${name}.recursive`, `\`${name} -R\` changes the rights of everything below a folder.`);

/** What `mv` takes away, it also writes. */
const sourcesGo = ({ operands }: ReadOptions, scope: Scope): Judgement | null =>
  worst(operands.slice(0, -1).map((each) => judgeArgument(each, "write", scope)));

/** All but the last are read; each is written where the last leads, under its own name where that is a folder. */
const copies = ({ operands }: ReadOptions, scope: Scope): Judgement | null => {
  const sources = operands.slice(0, -1);
  const target = operands.at(-1);
  if (target === undefined || sources.length === 0)
    return ask("files.copy.operands", "It is not known where it would copy to.");
  if (sources.some(({ text }) => /(^|\/)\.{1,2}\/?$/.test(text)))
    return ask("files.copy.all", "It copies everything in a folder, and it is not known under which names.");
  const names = sources.map((each) => ({ ...each, text: each.text.replace(/\/+$/, "").split("/").at(-1) ?? "" }));
  return worst([
    ...sources.map((each) => judgeArgument(each, "read", scope)),
    judgeArgument(target, "write", scope),
    ...names.map((each) => judgeArgument({ ...each, text: `${target.text}/${each.text}` }, "write", scope)),
  ]);
};

export const CHANGING: Programs = {
  mkdir: {
    rule: "files.mkdir",
    does: "change",
    why: "It makes folders in the worktree.",
    options: "-p -v --parents --verbose",
    operands: ["write"],
  },
  touch: {
    rule: "files.touch",
    does: "change",
    why: "It makes files in the worktree.",
    options: "-a -m -c",
    operands: ["write"],
  },
  cp: {
    rule: "files.cp",
    does: "change",
    why: "It copies files of the worktree.",
    options: "-r -R -p -f -n -v -a -u -i --recursive --force --no-clobber --verbose --archive",
    operands: ["text"],
    check: copies,
  },
  mv: {
    rule: "files.mv",
    does: "change",
    why: "It moves files of the worktree.",
    options: "-f -n -v -i --force --no-clobber --verbose",
    operands: ["text"],
    check: (read, scope) => worst([copies(read, scope), sourcesGo(read, scope)]),
  },
  tee: {
    rule: "files.tee",
    does: "change",
    why: "It writes a file in the worktree.",
    options: "-a --append",
    operands: ["write"],
  },
  truncate: ask("files.truncate", "It cuts off what is in a file."),
  chmod: {
    rule: "files.chmod",
    does: "change",
    why: "It makes a file of the worktree executable or plain.",
    options: "-v -c -f",
    operands: ["text", "write"],
    refused: {
      "-R": recursive("chmod"),
      "--recursive": recursive("chmod"),
      "-x": ask("files.chmod.mode", "It takes rights away."),
    },
    check: ({ operands: [mode] }) =>
      /^([ugoa]*\+x|[0-7]?[67][45][45]|[0-7]?[67]00)$/.test(mode?.text ?? "") && !/^[1-7]...$/.test(mode?.text ?? "")
        ? null
        : ask("files.chmod.mode", "It gives rights other than to run a file."),
  },
  chown: {
    rule: "files.chown",
    does: "change",
    why: "It gives files to another user.",
    operands: ["text"],
    refused: { "-R": recursive("chown"), "--recursive": recursive("chown") },
    check: () => ask("files.chown", "It gives files to another user."),
  },
  ln: ask("files.ln", "It makes a link, and paths would lead elsewhere."),
  rm: { judge: (words, scope) => judgeRemoval(words, scope) },
  rmdir: {
    rule: "files.rmdir",
    does: "change",
    why: "It removes empty folders.",
    options: "-p -v",
    operands: ["write"],
  },
  unlink: ask("files.unlink", "It removes a file."),
  mktemp: {
    rule: "files.mktemp",
    does: "change",
    why: "It makes a file or folder of its own.",
    options: "-d -q -u -t",
    operands: ["write"],
  },
  tar: ask("files.archive", "An archive can write to any path, and tar can run programs."),
  unzip: ask("files.archive", "An archive can write to any path."),
  zip: ask("files.archive", "zip can run programs, and write anywhere."),
  patch: ask("files.patch", "A patch can change any file."),
  shred: deny("files.shred", "It destroys files for good."),
  dd: deny("disk.dd", "`dd` writes to disks and files without a check."),
  mkfs: deny("disk.format", "It would overwrite a disk."),
  fdisk: deny("disk.format", "It would change a disk."),
  parted: deny("disk.format", "It would change a disk."),
  diskutil: deny("disk.format", "It would change a disk."),
  wipefs: deny("disk.format", "It would overwrite a disk."),
  mount: deny("disk.mount", "It changes what lies at a path."),
  umount: deny("disk.mount", "It changes what lies at a path."),
};

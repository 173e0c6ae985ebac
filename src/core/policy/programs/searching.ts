import { ask, askUnlessSandboxed, deny, type Judgement, worst } from "../decision.ts";
import { judgeArgument } from "../paths/judge-argument.ts";
import type { Scope } from "../shell/scope.ts";
import type { Programs } from "./entry.ts";
import { judgeAwk } from "./judge-awk.ts";
import { judgeSed } from "./judge-sed.ts";
import type { ReadOptions } from "./read-options.ts";

const runs = (what: string): Judgement => ask("find.exec", `\`find ${what}\` runs a command on everything it finds.`);
const findWrites = (what: string): Judgement => deny("find.write", `\`find ${what}\` writes to a file.`);

const GREP =
  "-# -r -n -i -l -L -c -v -w -x -o -q -s -h -H -E -F -P -G -a -I -z -e= -A= -B= -C= -m= --include= --exclude= --exclude-dir= --color? --line-number --ignore-case --files-with-matches --files-without-match --count --recursive --word-regexp --only-matching --max-count= --context= --after-context= --before-context= --extended-regexp --fixed-strings --perl-regexp --invert-match --quiet --no-messages --with-filename --no-filename --text --regexp=";
/** With the pattern in an option, or without one, the first word is a path like the others. */
const firstIsPath = ({ options, operands }: ReadOptions, scope: Scope): Judgement | null =>
  options.some(({ name }) => /^(-e|-f|--regexp|--file|--files|--type-list)$/.test(name))
    ? worst(operands.slice(0, 1).map((each) => (each.text === "-" ? null : judgeArgument(each, "read", scope))))
    : null;

const grep = {
  rule: "search.grep",
  does: "read",
  why: "It only prints lines that match.",
  options: `${GREP} -f< --file<`,
  operands: ["text", "read"],
  check: firstIsPath,
  refused: { "-R": ask("search.grep.links", "`grep -R` follows links out of the worktree; `-r` does not.") },
} as const;

export const SEARCHING: Programs = {
  grep,
  egrep: grep,
  fgrep: grep,
  rg: {
    rule: "search.rg",
    does: "read",
    why: "It only prints lines that match.",
    options:
      "-# -n -N -i -S -s -l -c -v -w -x -o -q -F -U -p -H -I -a -u -0 -P -e= -A= -B= -C= -g= -t= -T= -m= -M= -d= -j= -r= --files --hidden --no-ignore --no-ignore-vcs --line-number --no-line-number --ignore-case --smart-case --case-sensitive --files-with-matches --files-without-match --count --count-matches --invert-match --word-regexp --only-matching --fixed-strings --multiline --multiline-dotall --heading --no-heading --with-filename --no-filename --json --stats --trim --vimgrep --column --glob= --iglob= --type= --type-not= --type-list --max-count= --max-depth= --max-columns= --context= --after-context= --before-context= --color= --colors= --sort= --sortr= --replace= --regexp= --pcre2 --no-messages --no-config --pretty --passthru --quiet --sort-files --threads=",
    operands: ["text", "read"],
    check: firstIsPath,
    refused: {
      "--pre": deny("search.rg.run", "`rg --pre` runs a program on every file."),
      "--pre-glob": deny("search.rg.run", "`rg --pre` runs a program on every file."),
      "--hostname-bin": deny("search.rg.run", "It makes rg run another program."),
      "-z": ask("search.rg.run", "`rg -z` runs programs that unpack files."),
      "--search-zip": ask("search.rg.run", "`rg -z` runs programs that unpack files."),
      "-L": ask("search.rg.links", "`rg -L` follows links out of the worktree."),
      "--follow": ask("search.rg.links", "`rg --follow` follows links out of the worktree."),
    },
  },
  find: {
    rule: "search.find",
    does: "read",
    why: "It only lists files.",
    longDash: true,
    options:
      "-name= -iname= -path= -ipath= -wholename= -regex= -iregex= -regextype= -type= -maxdepth= -mindepth= -size= -mtime= -mmin= -ctime= -atime= -newer< -perm= -user= -group= -empty -not -o -a -or -and -prune -print -print0 -printf= -ls -quit -depth -d -xdev -mount -readable -writable -executable -true -false -E -H -P",
    operands: ["list"],
    refused: {
      "-exec": runs("-exec"),
      "-execdir": runs("-execdir"),
      "-ok": runs("-ok"),
      "-okdir": runs("-okdir"),
      "-delete": askUnlessSandboxed("find.delete", "`find -delete` removes everything it finds."),
      "-fprint": findWrites("-fprint"),
      "-fprint0": findWrites("-fprint0"),
      "-fprintf": findWrites("-fprintf"),
      "-fls": findWrites("-fls"),
      "-L": ask("search.find.links", "`find -L` follows links out of the worktree."),
      "-follow": ask("search.find.links", "`find -follow` follows links out of the worktree."),
    },
  },
  fd: {
    rule: "search.fd",
    does: "read",
    why: "It only lists files.",
    options:
      "-H -I -i -s -g -F -a -l -p -0 -t= -e= -d= -E= --hidden --no-ignore --type= --extension= --max-depth= --exclude= --glob --full-path --absolute-path --color=",
    operands: ["text", "list"],
  },
  sed: { judge: judgeSed },
  awk: { judge: judgeAwk },
  gawk: { judge: judgeAwk },
  mawk: { judge: judgeAwk },
  xargs: askUnlessSandboxed("xargs", "`xargs` runs a command with words that are not known yet."),
  parallel: askUnlessSandboxed("xargs", "`parallel` runs commands with words that are not known yet."),
};

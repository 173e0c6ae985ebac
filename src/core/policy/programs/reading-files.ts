import { ask, deny, type Judgement } from "../decision.ts";
import { HOLE } from "../shell/argument.ts";
import type { Entry, Programs } from "./entry.ts";
import type { ReadOptions } from "./read-options.ts";

/** A program that prints what is in files, with options that only change how. */
const prints = (name: string, options: string, more: Partial<Entry> = {}): Entry => ({
  rule: `files.${name}`,
  does: "read",
  why: "It only prints what is in files of the worktree.",
  options,
  operands: ["read"],
  ...more,
});

/** A program that says something about files, and not what is in them. */
const tells = (name: string, options: string, more: Partial<Entry> = {}): Entry => ({
  ...prints(name, options),
  why: "It only says what files there are, and of which kind.",
  operands: ["list"],
  ...more,
});

const filters = (name: string, options: string): Entry => ({
  rule: `text.${name}`,
  does: "read",
  why: "It only changes the text that goes through it.",
  options,
  operands: ["read"],
});

const secondWrites = (name: string): Judgement => deny(`text.${name}.write`, `\`${name}\` would write to a file.`);

export const READING: Programs = {
  cat: prints("cat", "-A -b -e -E -n -s -t -T -u -v --number --show-all --number-nonblank --squeeze-blank", {
    anyOption: true,
  }),
  head: prints("head", "-# -n= -c= -q -v --lines= --bytes= --quiet", { anyOption: true }),
  tail: prints("tail", "-# -n= -c= -q -v --lines= --bytes= --quiet"),
  nl: prints("nl", "-b= -w= -s= -n= -v= -i="),
  tac: prints("tac", "-s= -b -r"),
  rev: prints("rev", ""),
  wc: prints("wc", "-l -w -c -m -L --lines --words --chars --bytes", { anyOption: true }),
  od: prints("od", "-A= -t= -c -x -N= -j= -v -An"),
  xxd: prints("xxd", "-l= -s= -c= -g= -p -u -b", { most: 1 }),
  hexdump: prints("hexdump", "-C -n= -s= -v"),
  strings: prints("strings", "-n= -a"),
  md5sum: prints("md5sum", "-b -t --tag"),
  sha1sum: prints("sha1sum", "-b -t --tag"),
  sha256sum: prints("sha256sum", "-b -t --tag"),
  diff: prints(
    "diff",
    "-u -U= -r -q -w -b -B -i -N -y -c -a -s --brief --color? --side-by-side --unified? --width= --recursive --exclude=",
  ),
  cmp: prints("cmp", "-s -l -b"),
  comm: prints("comm", "-1 -2 -3"),
  join: prints("join", "-1= -2= -t= -j= -o= -a= -v="),
  paste: prints("paste", "-d= -s"),
  cut: filters("cut", "-d= -f= -c= -b= -s --delimiter= --fields= --characters= --complement --output-delimiter="),
  tr: { ...filters("tr", "-d -s -c -C -t"), operands: ["text"] },
  column: filters("column", "-t -s= -n -c= -x"),
  fold: filters("fold", "-w= -s"),
  fmt: filters("fmt", "-w= -s -u"),
  expand: filters("expand", "-t="),
  sort: {
    ...filters(
      "sort",
      "-n -r -u -h -V -f -b -c -s -R -g -M -d -i -z -m -k= -t= --key= --numeric-sort --reverse --unique --human-numeric-sort --version-sort --field-separator=",
    ),
    refused: {
      "-o": secondWrites("sort"),
      "--output": secondWrites("sort"),
      "--compress-program": deny("text.sort.run", "It makes sort run another program."),
      "-T": ask("text.sort.temp", "It makes sort write its temporary files elsewhere."),
    },
  },
  uniq: {
    ...filters("uniq", "-c -d -u -i -f= -s= -w= --count --repeated --unique"),
    check: ({ operands }: ReadOptions) => (operands.length > 1 ? secondWrites("uniq") : null),
  },
  jq: {
    rule: "text.jq",
    does: "read",
    why: "It only prints parts of JSON.",
    options:
      "-r -c -e -s -n -S -M -C -j -a -R --raw-output --compact-output --exit-status --slurp --null-input --sort-keys --tab --indent= --raw-input --color-output --monochrome-output --join-output",
    operands: ["text", "read"],
    check: ({ operands: [program] }: ReadOptions) =>
      program !== undefined && /\benv\b|\$ENV|\binclude\b|\bimport\b|\binput_filename\b|\$__/.test(program.text)
        ? ask("text.jq.env", "The program of jq reads the environment or other files.")
        : program?.text.includes(HOLE)
          ? ask("word.unknown", "The program of jq is not known.")
          : null,
  },
  ls: tells(
    "ls",
    "-a -A -l -h -1 -R -t -r -S -d -F -i -s -p -G -g -o -n -x -C -k -L -H -U -X --all --almost-all --color? --human-readable --recursive --reverse --sort= --time= --group-directories-first --full-time --time-style=",
    { anyOption: true },
  ),
  tree: tells("tree", "-a -d -f -L= -I= -P= -s -h -C -n --dirsfirst --gitignore --noreport -F --prune"),
  stat: tells("stat", "-c= -f -t -L --format= --printf="),
  file: tells("file", "-b -i -L -k --mime-type --brief --mime"),
  du: tells("du", "-s -h -a -c -k -m -b -d= --max-depth= --apparent-size --summarize --human-readable"),
  df: tells("df", "-h -k -m -T -i"),
  basename: { ...tells("basename", "-a -s="), operands: ["text"] },
  dirname: { ...tells("dirname", "-z"), operands: ["text"] },
  realpath: tells("realpath", "-e -m -s -q --relative-to= --relative-base="),
  readlink: tells("readlink", "-f -e -m -n -q"),
  which: { rule: "shell.which", does: "read", why: "It says where a program is.", options: "-a", operands: ["name"] },
  date: {
    rule: "system.date",
    does: "read",
    why: "It prints the time.",
    options: "-u -I? -R -d= --date= --utc --iso-8601? --rfc-3339=",
    operands: ["text"],
    most: 1,
    check: ({ operands: [format] }: ReadOptions) =>
      format === undefined || format.text.startsWith("+") ? null : deny("system.date.set", "It would set the clock."),
  },
  seq: { rule: "text.seq", does: "read", why: "It prints numbers.", options: "-w -s= -f=", operands: ["text"] },
  sleep: { rule: "system.sleep", does: "read", why: "It only waits.", operands: ["text"] },
  uname: { rule: "system.uname", does: "read", why: "It names the system.", options: "-a -s -r -m -n -p -o -v" },
  whoami: { rule: "system.whoami", does: "read", why: "It names the user." },
  nproc: { rule: "system.nproc", does: "read", why: "It counts processors.", options: "--all" },
  hostname: { rule: "system.hostname", does: "read", why: "It names the machine.", options: "-s -f" },
  id: { rule: "system.id", does: "read", why: "It names the user.", options: "-u -g -n -G" },
  printenv: ask("system.environment", "It prints the environment, in which tokens can be."),
  env: ask("system.environment", "It prints the environment, in which tokens can be."),
};

import { isSecretName } from "../../../text/secret-names.ts";
import { ask, deny, type Judgement, worst } from "../../decision.ts";
import { judgeArgument } from "../../paths/judge-argument.ts";
import type { Scope } from "../../shell/scope.ts";
import type { Entry } from "../entry.ts";
import type { ReadOptions } from "../read-options.ts";

const DIFF =
  "-# -p -u -s -w -b -R -M? -C? -B? -S= -G= -U= -O< -z --patch --no-patch --stat? --numstat --shortstat --dirstat? --summary --name-only --name-status --raw --cached --staged --merge-base --color? --no-color --color-words? --word-diff? --word-diff-regex= --color-moved? --unified= --diff-filter= --find-renames? --find-copies? --no-renames --minimal --patience --histogram --diff-algorithm= --exit-code --quiet --check --full-index --binary --abbrev? --relative? --text --ignore-space-change --ignore-all-space --ignore-blank-lines --function-context -W --inter-hunk-context= --submodule? --no-ext-diff --no-textconv --compact-summary --pickaxe-all --pickaxe-regex --src-prefix= --dst-prefix= --no-prefix --ws-error-highlight= --ignore-submodules? --cc -c -m -t";
const LOG =
  "-n= -q -i -E -F -P -L= -g --oneline --graph --decorate? --no-decorate --all --branches? --tags? --remotes? --format= --pretty? --abbrev-commit --no-abbrev-commit --since= --until= --after= --before= --author= --committer= --grep= --all-match --invert-grep --merges --no-merges --first-parent --follow --reverse --max-count= --skip= --date= --show-signature --left-right --cherry-pick --cherry-mark --cherry --full-history --simplify-by-decoration --topo-order --date-order --author-date-order --boundary --ancestry-path --no-walk? --walk-reflogs --parents --children --stdin --count --not --notes? --no-notes --encoding= --source --mailmap --use-mailmap --show-pulls --extended-regexp --fixed-strings --regexp-ignore-case";

const writes = (what: string): Judgement => deny("git.output", `\`${what}\` writes to a file.`);
const runs = (what: string): Judgement => deny("git.runs", `\`${what}\` runs another program.`);
const loses = deny("git.reflog.expire", "It removes the way back to old commits.");
const REFUSED_BY_DIFF = {
  "--output": writes("--output"),
  "-o": writes("-o"),
  "--ext-diff": runs("--ext-diff"),
  "--textconv": runs("--textconv"),
  "--no-index": ask("git.diff.no-index", "It compares files that need not be the repository's."),
};

/** What is secret stays so in old commits (`HEAD:.env`); and git also compares files that are not the repository's. */
function noSecrets({ operands }: ReadOptions, scope: Scope): Judgement | null {
  const secret = operands.find(({ text }) => isSecretName(text.split(":").at(-1) ?? ""));
  if (secret !== undefined)
    return deny("path.secret", `It reads ${JSON.stringify(secret.text)}, which by its name holds secrets.`);
  const paths = operands.filter(({ text }) => /^[/~]|(^|\/)\.\.(\/|$)/.test(text));
  return worst(paths.map((each) => judgeArgument(each, "read", scope)));
}

const reads = (name: string, options: string, more: Partial<Entry> = {}): Entry => ({
  rule: `git.${name}`,
  does: "read",
  why: "It only shows what is in the repository.",
  options,
  operands: ["text"],
  check: noSecrets,
  ...more,
});
const shows = (name: string, options = ""): Entry => reads(name, `${DIFF} ${options}`, { refused: REFUSED_BY_DIFF });

/** Commands of git that only read. */
export const READS: Readonly<Record<string, Entry>> = {
  status: reads(
    "status",
    "-s -b -u? -v -z --short --branch --porcelain? --long --untracked-files? --ignored? --show-stash --ahead-behind --no-ahead-behind --renames --no-renames --column?",
  ),
  diff: shows("diff"),
  log: shows("log", LOG),
  show: shows("show", LOG),
  whatchanged: shows("log", LOG),
  shortlog: reads("log", "-s -n -e -c --summary --numbered --email --since= --until= --all --no-merges --group="),
  reflog: reads("reflog", `${LOG} -# --stat?`, {
    refused: { "--expire": loses, "--expire-unreachable": loses, "--stale-fix": loses },
    check: ({ operands: [first] }) => (/^(expire|delete|drop)$/.test(first?.text ?? "") ? loses : null),
  }),
  blame: reads(
    "blame",
    "-L= -w -M -C -e -l -s -f -n -p --date= --porcelain --line-porcelain --since= --show-email --ignore-rev= --color-lines --abbrev=",
  ),
  annotate: reads("blame", "-L= -w"),
  grep: reads(
    "grep",
    "-# -n -i -l -L -c -v -w -o -h -H -E -F -P -G -I -a -q -p -W -z -e= -A= -B= -C= -m= --cached --untracked --line-number --ignore-case --files-with-matches --name-only --count --invert-match --word-regexp --extended-regexp --fixed-strings --perl-regexp --and --or --not --all-match --color? --break --heading --column --show-function --function-context --max-depth= --max-count= --context=",
    {
      refused: {
        "-O": runs("git grep -O"),
        "--open-files-in-pager": runs("git grep -O"),
        "-f": ask("git.grep.file", "Its patterns are in a file."),
        "--textconv": runs("--textconv"),
      },
    },
  ),
  "ls-files": reads(
    "ls-files",
    "-c -d -m -o -i -s -u -z -t -v --cached --deleted --modified --others --ignored --stage --exclude-standard --exclude= --error-unmatch --full-name --directory --eol -x=",
  ),
  "ls-tree": reads("ls-tree", "-d -r -t -l -z --name-only --name-status --full-name --full-tree --long --abbrev?"),
  "cat-file": reads("cat-file", "-t -s -e -p"),
  "rev-parse": reads(
    "rev-parse",
    "-q --short? --abbrev-ref? --verify --quiet --show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --is-inside-work-tree --symbolic-full-name --symbolic --all --branches --revs-only --absolute-git-dir --is-bare-repository --show-superproject-working-tree",
  ),
  "rev-list": reads("rev-list", `${LOG} --objects --disk-usage -c`),
  "merge-base": reads("merge-base", "-a --all --is-ancestor --fork-point --octopus"),
  "name-rev": reads("name-rev", "--name-only --tags --all --always --refs="),
  describe: reads(
    "describe",
    "--tags --all --long --always --dirty? --abbrev= --match= --exact-match --contains --first-parent",
  ),
  "for-each-ref": reads("for-each-ref", "--format= --sort= --count= --merged? --no-merged? --contains? --points-at="),
  "show-ref": reads("show-ref", "--heads --tags --verify -q --hash? -s --head"),
  "show-branch": reads("show-branch", "-a -r --all --list --current"),
  "check-ignore": reads("check-ignore", "-v -n -q --no-index --verbose --non-matching"),
  "check-attr": reads("check-attr", "-a --all"),
  "count-objects": reads("count-objects", "-v -H"),
  "diff-tree": shows("diff-tree", "-r --root --no-commit-id"),
  "diff-index": shows("diff-index"),
  "diff-files": shows("diff-files"),
  "range-diff": reads("range-diff", "-s --no-color --creation-factor= --no-patch"),
  cherry: reads("cherry", "-v"),
  "merge-tree": reads("merge-tree", "--write-tree --name-only --messages --no-messages -z"),
  version: reads("version", "--build-options"),
  var: reads("var", ""),
};

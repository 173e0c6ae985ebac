import { ask, deny, type Judgement } from "../../decision.ts";
import { isKnown } from "../../shell/argument.ts";
import type { Entry, Family } from "../entry.ts";

const shared = deny("git.stash", "Stashes are shared between all worktrees: another agent could get it.");
const leaves = deny("git.switch", "It leaves the agent's own branch.");
const config = deny("git.config", "It changes settings of git, which can run programs.");
const worktrees = deny("git.worktree", "Worktrees are banksman's to make and remove.");
const refs = deny("git.refs", "It moves or removes branches that are not the agent's to move.");

const lists = (rule: string, options = "", more: Partial<Entry> = {}): Entry => ({
  rule,
  does: "read",
  why: "It only lists what is in the repository.",
  options,
  ...more,
});

/** Commands of git that are asked about or denied, and the few ways to use them that only read. */
export const REFUSED: Readonly<Record<string, Entry | Family | Judgement>> = {
  stash: {
    commands: {
      list: lists("git.stash.list", "--oneline -p --stat --format= --date="),
      show: lists("git.stash.show", "-p --stat --name-only --name-status -u", { operands: ["name"], most: 1 }),
    },
    other: shared,
    alone: shared,
    refused: {
      "-u": shared,
      "-m": shared,
      "-k": shared,
      "-a": shared,
      "-q": shared,
      "-p": shared,
      "--include-untracked": shared,
      "--keep-index": shared,
    },
  },
  switch: leaves,
  checkout: {
    rule: "git.checkout",
    does: "change",
    why: "It takes files from another commit.",
    operands: ["text"],
    options: "-q -f -b= -B= --orphan= --detach -t --track --ours --theirs --quiet --force -p",
    check: ({ options, operands }) =>
      options.some(({ name }) => /^(-b|-B|--orphan|--detach|-t|--track|-f|--force)$/.test(name))
        ? leaves
        : operands.length > 0 &&
            operands.every((each) => isKnown(each) && /[./]/.test(each.text) && !/^(origin|feat|fix)\//.test(each.text))
          ? ask("git.restore", "It throws away changes of files.")
          : operands.length > 1
            ? ask("git.restore", "It throws away changes of files.")
            : leaves,
  },
  clean: {
    rule: "git.clean.dry",
    does: "read",
    why: "It only says what it would remove.",
    options: "-n -d -x -X -q --dry-run -e=",
    operands: ["list"],
    refused: {
      "-f": deny("git.clean", "It removes files that git does not have."),
      "--force": deny("git.clean", "It removes files that git does not have."),
      "-i": deny("git.clean", "It removes files that git does not have."),
    },
    check: ({ options }) =>
      options.some(({ name }) => name === "-n" || name === "--dry-run")
        ? null
        : deny("git.clean", "It removes files that git does not have."),
  },
  branch: {
    rule: "git.branch.list",
    does: "read",
    why: "It only lists branches.",
    options:
      "-a -r -v -l --all --remotes --list --show-current --verbose --merged? --no-merged? --contains? --no-contains? --sort= --format= --points-at= --color? --no-color --column? --abbrev= -i",
    operands: ["text"],
    refused: {
      "-D": refs,
      "-d": refs,
      "--delete": refs,
      "-f": refs,
      "--force": refs,
      "-m": refs,
      "-M": refs,
      "--move": refs,
      "-c": refs,
      "-C": refs,
      "--copy": refs,
      "-u": config,
      "--set-upstream-to": config,
      "--unset-upstream": config,
      "--edit-description": config,
    },
    check: ({ options, operands }) =>
      operands.length === 0 ||
      options.some(({ name }) => /^(-l|--list|--merged|--no-merged|--contains|--no-contains)$/.test(name))
        ? null
        : ask("git.branch.new", "It makes a new branch."),
  },
  tag: {
    rule: "git.tag.list",
    does: "read",
    why: "It only lists tags.",
    options: "-l -n? --list --sort= --contains? --merged? --no-merged? --points-at= --format= --column?",
    operands: ["text"],
    refused: {
      "-d": refs,
      "--delete": refs,
      "-f": refs,
      "--force": refs,
      "-a": ask("git.tag.new", "It makes a tag."),
      "-m": ask("git.tag.new", "It makes a tag."),
      "-s": ask("git.tag.new", "It makes a tag."),
    },
    check: ({ options, operands }) =>
      operands.length === 0 || options.some(({ name }) => name !== "-n" && name !== "--sort" && name !== "--format")
        ? null
        : ask("git.tag.new", "It makes a tag."),
  },
  config: {
    rule: "git.config.get",
    does: "read",
    why: "It only shows a setting.",
    options: "--get= --get-all= --show-origin --show-scope --type= --bool --int --path --default= --local --global",
    operands: ["name"],
    most: 1,
    refused: Object.fromEntries(
      [
        "--unset",
        "--unset-all",
        "--add",
        "--replace-all",
        "--edit",
        "-e",
        "--rename-section",
        "--remove-section",
        "-f",
        "--file",
        "--blob",
      ].map((name) => [name, config]),
    ),
    check: ({ options, operands }) => {
      const keys = [
        ...operands,
        ...options.flatMap(({ name, value }) => (name.startsWith("--get") && value ? [value] : [])),
      ];
      if (keys.length !== 1) return config;
      return /extraheader|helper|password|token|url/i.test(keys[0]?.text ?? "")
        ? ask("git.config.secret", "That setting can hold a password.")
        : null;
    },
  },
  remote: {
    commands: {
      show: ask("git.remote.show", "It reaches the network."),
      "get-url": lists("git.remote.list", "--all --push", { operands: ["name"] }),
    },
    options: "-v --verbose",
    alone: lists("git.remote.list", "-v --verbose"),
    other: deny("git.remote", "It changes where the repository pushes to and fetches from."),
  },
  worktree: {
    commands: { list: lists("git.worktree.list", "--porcelain -v -z") },
    other: worktrees,
    alone: worktrees,
  },
  submodule: {
    commands: { status: lists("git.submodule.status", "--recursive --cached", { operands: ["list"] }) },
    other: ask("git.submodule", "It fetches or changes other repositories."),
    alone: lists("git.submodule.status"),
  },
  pull: ask("git.pull", "It fetches and merges in one step; `git fetch` and `git rebase` or `git merge` are approved."),
  "cherry-pick": ask("git.cherry-pick", "It takes commits of others onto this branch."),
  revert: ask("git.revert", "It takes commits back."),
  apply: ask("git.apply", "A patch can change any file."),
  am: ask("git.apply", "A patch can change any file."),
  bisect: ask("git.bisect", "It moves through the history, and can run programs."),
  "filter-branch": deny("git.rewrite", "It rewrites the history."),
  "filter-repo": deny("git.rewrite", "It rewrites the history."),
  replace: deny("git.rewrite", "It changes what commits seem to be."),
  gc: deny("git.gc", "It can remove what is needed to bring work back."),
  prune: deny("git.gc", "It can remove what is needed to bring work back."),
  repack: deny("git.gc", "It can remove what is needed to bring work back."),
  "update-ref": refs,
  "symbolic-ref": refs,
  "update-index": ask("git.update-index", "It can hide changes from git."),
  init: ask("git.init", "It makes another repository."),
  clone: ask("git.clone", "It fetches another repository."),
  "ls-remote": ask("git.ls-remote", "It reaches the network."),
  archive: ask("git.archive", "It writes an archive."),
  "send-email": deny("network.publish", "It sends mail."),
  daemon: deny("network.publish", "It offers the repository to others."),
  credential: deny("path.secret", "It prints or changes passwords."),
  "credential-store": deny("path.secret", "It prints or changes passwords."),
  notes: ask("git.notes", "It changes notes that all worktrees share."),
};

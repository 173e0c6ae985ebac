import { isSecretName } from "../../../text/secret-names.ts";
import { ask, deny, type Judgement } from "../../decision.ts";
import { isKnown } from "../../shell/argument.ts";
import type { Scope } from "../../shell/scope.ts";
import type { Entry, Family } from "../entry.ts";
import type { ReadOptions } from "../read-options.ts";
import { judgePush } from "./judge-push.ts";

const noHooks = ask("git.commit.no-verify", "It leaves out the checks that the project runs before a commit.");
const execDenied = deny("git.rebase.exec", "It makes git run a command for every commit.");
const strategy = ask("git.merge.strategy", "It chooses which side wins before anybody has looked.");
const nameOnly = ({ operands }: ReadOptions): Judgement | null =>
  operands.every((each) => isKnown(each) && !each.text.includes(":"))
    ? null
    : ask("word.unknown", "One of its words is not a plain name of a branch or commit.");

const REBASE =
  "-q -v --continue --abort --skip --quit --onto= --autosquash --no-autosquash --autostash --no-autostash --keep-base --root --stat --no-stat --rebase-merges? --reapply-cherry-picks --committer-date-is-author-date --quiet --verbose --show-current-patch --fork-point --no-fork-point";

/** Commands of git that change the agent's own branch or worktree, as its work does. */
export const CHANGES: Readonly<Record<string, Entry | Family | Judgement>> = {
  add: {
    rule: "git.add",
    does: "change",
    why: "It stages files of the worktree.",
    options: "-A -u -v -n -N --all --update --verbose --dry-run --intent-to-add --ignore-errors --renormalize --chmod=",
    operands: ["list"],
    refused: {
      "-f": ask("git.add.ignored", "It adds files that the project ignores, such as secrets."),
      "--force": ask("git.add.ignored", "It adds files that the project ignores, such as secrets."),
    },
    check: ({ operands }) =>
      operands.some(({ text }) => isSecretName(text))
        ? ask("git.add.secret", "It stages a file that by its name holds secrets.")
        : null,
  },
  commit: {
    rule: "git.commit",
    does: "change",
    why: "It commits on the agent's own branch.",
    options:
      "-m= -a -q -v -s -F< -C= -S? --message= --all --quiet --verbose --signoff --no-signoff --file< --amend --no-edit --allow-empty --allow-empty-message --dry-run --short --porcelain --fixup= --squash= --reuse-message= --date= --no-gpg-sign --gpg-sign? --trailer= --cleanup= --only --include --no-post-rewrite --status --no-status --branch",
    operands: ["list"],
    refused: {
      "-n": noHooks,
      "--no-verify": noHooks,
      "--author": ask("git.commit.author", "It commits in somebody else's name."),
    },
  },
  push: {
    rule: "git.push.own",
    does: "change",
    why: "It pushes the agent's own branch.",
    options: "-u -v -q -n --set-upstream --verbose --quiet --dry-run --porcelain --progress --no-progress",
    operands: ["text"],
    refused: pushRefusals(),
    check: judgePush,
  },
  fetch: {
    rule: "git.fetch",
    does: "change",
    why: "It only updates what is known of the remote.",
    options:
      "-p -q -v -t -n --prune --quiet --verbose --tags --no-tags --dry-run --depth= --progress --no-progress --prune-tags",
    operands: ["text"],
    refused: {
      "--upload-pack": deny("git.runs", "It makes git run another program."),
      "-f": deny("git.fetch.refspec", "It overwrites local branches."),
      "--force": deny("git.fetch.refspec", "It overwrites local branches."),
    },
    check: judgeFetch,
  },
  rebase: {
    rule: "git.rebase",
    does: "change",
    why: "It puts the agent's own branch onto another.",
    options: REBASE,
    operands: ["name"],
    most: 1,
    refused: {
      "-x": execDenied,
      "--exec": execDenied,
      "-i": ask("git.rebase.interactive", "It rewrites commits one by one."),
      "--interactive": ask("git.rebase.interactive", "It rewrites commits one by one."),
      "-s": strategy,
      "-X": strategy,
      "--no-verify": noHooks,
    },
    check: nameOnly,
  },
  merge: {
    rule: "git.merge",
    does: "change",
    why: "It brings another branch into the agent's own.",
    options:
      "-m= -q -v -n --continue --abort --quit --no-edit --ff --no-ff --ff-only --squash --no-commit --commit --stat --no-stat --log --quiet --verbose --no-squash --autostash",
    operands: ["name"],
    refused: {
      "-s": strategy,
      "--strategy": strategy,
      "-X": strategy,
      "--strategy-option": strategy,
      "--no-verify": noHooks,
      "--allow-unrelated-histories": ask("git.merge.unrelated", "It joins two histories that have nothing in common."),
    },
    check: nameOnly,
  },
  restore: {
    rule: "git.restore.staged",
    does: "change",
    why: "It takes files out of the next commit, and leaves them as they are.",
    options: "-S -W -q --staged --worktree --quiet --source= -s=",
    operands: ["list"],
    check: ({ options }) => {
      const given = new Set(options.map(({ name }) => name));
      const staged = given.has("--staged") || given.has("-S");
      return staged && !given.has("--worktree") && !given.has("-W")
        ? null
        : ask("git.restore", "It throws away changes of files.");
    },
  },
  reset: {
    rule: "git.reset.index",
    does: "change",
    why: "It takes files out of the next commit, and leaves them as they are.",
    options: "-q --quiet --mixed -N",
    operands: ["text"],
    refused: {
      "--hard": deny("git.reset.hard", "It throws away all changes."),
      "--merge": deny("git.reset.hard", "It throws away changes."),
      "--keep": ask("git.reset.move", "It moves the branch to another commit."),
      "--soft": ask("git.reset.move", "It moves the branch to another commit."),
    },
    check: ({ operands: [first] }) =>
      first === undefined || first.text === "HEAD"
        ? null
        : ask("git.reset.move", "It moves the branch to another commit."),
  },
  rm: {
    rule: "git.rm",
    does: "change",
    why: "Git has what it removes.",
    options: "-r -q --cached -n --dry-run --quiet",
    operands: ["write"],
    refused: {
      "-f": ask("git.rm.force", "It removes files with changes that git does not have."),
      "--force": ask("git.rm.force", "It removes files with changes that git does not have."),
    },
  },
  mv: {
    rule: "git.mv",
    does: "change",
    why: "It moves files of the worktree.",
    options: "-v -k -n --verbose --dry-run",
    operands: ["write"],
  },
};

function pushRefusals(): Record<string, Judgement> {
  const forced = deny("git.push.force", "It overwrites what is on the remote.");
  const more = deny("git.push.other", "It pushes or removes more than the agent's own branch.");
  return {
    "-f": forced,
    "--force": forced,
    "--force-with-lease": ask("git.push.lease", "It overwrites the agent's own branch on the remote."),
    "--force-if-includes": ask("git.push.lease", "It overwrites the agent's own branch on the remote."),
    ...Object.fromEntries(
      ["--mirror", "--delete", "-d", "--all", "--branches", "--tags", "--follow-tags", "--prune"].map((name) => [
        name,
        more,
      ]),
    ),
    "--no-verify": ask("git.push.no-verify", "It leaves out the checks that the project runs before a push."),
    "--receive-pack": deny("git.runs", "It makes the remote run another program."),
    "--exec": deny("git.runs", "It makes the remote run another program."),
  };
}

function judgeFetch({ operands }: ReadOptions, { context }: Scope): Judgement | null {
  const [remote, ...refs] = operands;
  if (remote === undefined) return null;
  if (refs.some(({ text }) => /[:+]/.test(text)))
    return deny("git.fetch.refspec", "It overwrites local branches with what is on the remote.");
  if (/^ext::|^-|\//.test(remote.text) || remote.text.includes("::"))
    return deny("git.fetch.address", "It fetches from an address, which can run programs.");
  return isKnown(remote) && remote.text === context.remote && refs.every(isKnown)
    ? null
    : ask("git.fetch.remote", "It fetches from another remote.");
}

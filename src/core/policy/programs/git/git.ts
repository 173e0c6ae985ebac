import { ask, deny } from "../../decision.ts";
import type { Programs } from "../entry.ts";
import { CHANGES } from "./changes.ts";
import { READS } from "./reads.ts";
import { REFUSED } from "./refused.ts";

const otherRepository = ask("git.other-repository", "It makes git work on another repository.");

export const GIT: Programs = {
  git: {
    commands: { ...READS, ...CHANGES, ...REFUSED },
    options: "--no-pager -C/ --version --help --no-optional-locks --literal-pathspecs -P",
    refused: {
      "-c": deny("git.config.once", "`git -c` changes a setting for this call, and settings can run programs."),
      "--config-env": deny("git.config.once", "It changes a setting for this call, and settings can run programs."),
      "--exec-path": deny("git.exec-path", "It makes git run programs from another folder."),
      "--git-dir": otherRepository,
      "--work-tree": otherRepository,
      "--namespace": otherRepository,
    },
    alone: { rule: "git.help", does: "read", why: "It prints its version or its help.", options: "--version --help" },
    other: ask("git.other", "It is a command of git that banksman does not know to be routine."),
  },
};

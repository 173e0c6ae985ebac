import * as z from "zod/mini";
import { knownCliIsNarrower, type Row, text, texts } from "./row.ts";

/** The settings that stand by themselves, at the top of the file. */
export const GENERAL_ROWS = [
  {
    key: "default_cli",
    type: text,
    example: "scripted",
    help: "The CLI of agents that have no --cli.",
    guarded: knownCliIsNarrower,
  },
  {
    key: "default_spec_cli",
    type: text,
    example: "scripted",
    help: "The CLI of agents whose spec names none.",
    guarded: knownCliIsNarrower,
  },
  {
    key: "branch_prefix",
    type: text,
    default: "spec/",
    help: "Prefix of branches for specs, if their format has none.",
    guarded: "harmless",
  },
  {
    key: "issue_branch_prefix",
    type: text,
    default: "issue/",
    help: "Prefix of branches for issues (`start --issues`); the number follows.",
    guarded: "harmless",
  },
  {
    key: "mouse",
    type: z.boolean(),
    default: true,
    help: "Whether the mouse works in the tmux session.",
    guarded: "harmless",
  },
  {
    key: "trust.repositories",
    type: texts,
    default: [],
    example: ["~/work"],
    help: "Folders whose repositories are your own: there, packages are installed by the lock file and submodules fetched without `banksman trust`. Counts in your own config only.",
    guarded: "users",
  },
] as const satisfies readonly Row[];

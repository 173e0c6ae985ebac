import * as z from "zod/mini";
import { fewerIsNarrower, lessIsNarrower, type Row, texts, whole } from "./row.ts";

/** What agents' worktrees and panes are like. */
export const WORKTREE_ROWS = [
  {
    key: "worktree.placement",
    type: z.enum(["child", "sibling"]),
    default: "child",
    help: "child: .banksman/worktrees/<agent>. sibling: ../<project>-<agent>.",
    guarded: "harmless",
  },
  {
    key: "worktree.copy",
    type: texts,
    default: [],
    example: [".env"],
    help: "Files or folders of the main checkout that are copied into every new worktree, and kept out of git.",
    guarded: fewerIsNarrower,
  },
  {
    key: "worktree.symlink",
    type: texts,
    default: [],
    example: ["node_modules"],
    help: "Files or folders of the main checkout that every new worktree gets as symbolic links.",
    guarded: fewerIsNarrower,
  },
  {
    key: "worktree.setup",
    type: z.string(),
    default: "auto",
    example: "npm ci",
    help: "A shell command that runs once in every new worktree. auto: installs by the lock file (npm ci, pnpm, yarn), without the packages' scripts. Empty: none.",
    guarded: (value) => (value === "" ? "narrows" : "widens"),
  },
  {
    key: "worktree.setup_timeout_seconds",
    type: whole(1, 86_400),
    default: 900,
    help: "Seconds set-up may take. After a second failure the agent starts with a warning.",
    guarded: lessIsNarrower,
  },
  {
    key: "worktree.rebase",
    type: z.boolean(),
    default: false,
    help: "Whether `start` rebases existing branches onto your present branch, where they are clean and not pushed. Their old tip is saved first.",
    guarded: (value) => (value === true ? "widens" : "narrows"),
  },
  {
    key: "worktree.port_base",
    type: whole(1_024, 65_000),
    example: 4000,
    help: "The PORT of the first agent; the next agents get the numbers after it.",
    guarded: "harmless",
  },
  {
    key: "layout.border_affordances",
    type: z.boolean(),
    default: true,
    help: "Whether each pane's border shows its agent.",
    guarded: "harmless",
  },
] as const satisfies readonly Row[];

/** Where an agent's brief lies beside its work. */
export const BRIEF_FILE = ".banksman/brief.md";
export const IGNORE_FILE = ".banksman/.gitignore";

/** Keeps our own files below `.banksman/` out of git, this file included; the project's config.toml stays visible. */
export const IGNORED = `# written by banksman
/.gitignore
/brief.md
/learnings.md
/logs/
/summary.md
/worktrees/
`;

/** What every worktree gets a copy of when the main checkout has it, and keeps out of git. */
export const PI_FOLDER = ".pi/git";
export const OWN_COPIES: readonly string[] = [`/${PI_FOLDER}/`];

/** Files that a write which was cut short leaves beside its target. */
export const LEFTOVERS = ".banksman-*.tmp";

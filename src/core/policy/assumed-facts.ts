import type { Facts } from "./context.ts";
import { normalize } from "./paths/normalize.ts";

const PROJECTS = /\/(GNUmakefile|[Mm]akefile|\.?[Jj]ustfile|gradlew|mvnw)$/;

/**
 * For a worktree that is only spoken of, and that nobody looks at: the files which say what a project's own commands do are
 * as the project has them, its tools are in its lock file, and everything else is the agent's.
 */
export const ASSUMED_FACTS: Facts = {
  resolve: (path) => normalize(path, "/"),
  isCommitted: () => false,
  isUnchanged: (path) => PROJECTS.test(path),
  isScriptUnchanged: () => false,
  isLocked: () => true,
  hasLock: () => true,
  changesCi: () => false,
};

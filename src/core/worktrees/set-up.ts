import type { Branch } from "../text/ids.ts";
import { INSTALLERS, type ObeyedFiles } from "./set-up-files.ts";

/** What a new worktree gets besides its files. Recorded with the run, so that a recovery does the same. */
export interface SetUp {
  readonly copy: readonly string[];
  readonly symlink: readonly string[];
  readonly command: string | null;
  /** Files that the command obeys and that its user must have seen; none for a command that a person wrote down. */
  readonly obeys?: readonly string[];
  /** Checkouts' files that the user has seen; null where nothing has to be. */
  readonly trusted?: readonly ObeyedFiles[] | null;
  readonly timeoutSeconds: number;
  /** The branch that an existing, clean and unpushed one is put onto; null leaves it where it is. */
  readonly rebase: Branch | null;
}

/** What was recorded before there was such a list was found by a lock file. */
export const obeyedBy = ({ command, obeys }: Pick<SetUp, "command" | "obeys">): readonly string[] =>
  obeys ?? INSTALLERS.find((each) => each.command === command)?.obeys ?? [];

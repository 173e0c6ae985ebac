import type { Cli } from "../clis/cli.ts";
import { kindNamed } from "../clis/kinds.ts";
import type { Failure } from "../failure/failure.ts";
import { isDescribed, screenOf } from "../screens/read-screen.ts";

/**
 * Why a CLI cannot be an agent in a pane; null where it can. A coding CLI whose screen nobody has described was seen to
 * lose its brief while it drew its first screen. A command of the user's own is typed to when its screen stands still.
 */
export const paneProblem = (cli: Cli): Failure | null =>
  kindNamed(cli.protocol) === null || isDescribed(screenOf(cli)) ? null : { kind: "cli.no-screen", cli: cli.name };

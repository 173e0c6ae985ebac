import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shellWord } from "../../core/text/quote.ts";
import type { PaneOrder } from "../../ports/tmux.ts";

/**
 * The launcher of one pane: a small script that only the user can read. It is started by `env -i`, so nothing of tmux's
 * or the user's environment is there; it removes itself, sets what the order allows, and becomes the program. Neither
 * the environment nor the arguments are ever on a command line that others can list.
 */
export function writeLaunchFile(folder: string, order: PaneOrder, terminal: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = launchFile(folder, order.run);
  const env = { ...order.env, TERM: terminal, BANKSMAN_RUN: order.run };
  const lines = [
    'rm -f -- "$0"',
    `while [ -e ${shellWord(holdFile(path))} ]; do sleep 0.01; done`,
    ...Object.entries(env)
      .filter(([name]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      .map(([name, value]) => `${name}=${shellWord(value)}; export ${name}`),
    `cd -- ${shellWord(order.cwd)} || exit 1`,
    `exec ${order.argv.map(shellWord).join(" ")}`,
  ];
  writeFileSync(holdFile(path), "", { mode: 0o600 });
  writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
  return path;
}

const launchFile = (folder: string, run: string): string => join(folder, `${run}.sh`);

/** While it is there the program waits: until its pane is marked as its own and its log is listening. */
const holdFile = (path: string): string => `${path}.hold`;

export const letGo = (folder: string, run: string): void => rmSync(holdFile(launchFile(folder, run)), { force: true });

/** The run a pane was started for, read from its command: known even if we died before writing it on the pane. */
export function runOfCommand(command: string): string | null {
  return /\/([A-Za-z0-9_.-]+)\.sh'?"?$/.exec(command)?.[1] ?? null;
}

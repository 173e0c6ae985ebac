import type { PaneRole } from "../../core/session/layout.ts";
import type { AgentId, RunId } from "../../core/text/ids.ts";
import type { Pane, PaneId } from "../../ports/tmux.ts";
import { isBareShell } from "./bare-shell.ts";
import { runOfCommand } from "./launch-file.ts";

/** Plain ASCII, which tmux prints as it is in every locale. Quoted values cannot hold it. */
const BETWEEN = "<|banksman|>";

const FIELDS = [
  "pane_id",
  "window_id",
  "@banksman_role",
  "@banksman_agent",
  "@banksman_run",
  "@banksman_pid",
  "pane_pid",
  "pane_dead",
  "pane_dead_status",
  "pane_dead_signal",
  "pane_in_mode",
  "pane_left",
  "pane_top",
  "pane_width",
  "pane_height",
  "@banksman_mark",
  "pane_start_command",
  "pane_current_path",
] as const;

type Field = (typeof FIELDS)[number];

/** Fields whose text others choose: a folder's name can hold line ends and tmux's own words. */
const QUOTED: readonly Field[] = ["@banksman_mark", "pane_start_command", "pane_current_path"];

export const PANE_FORMAT = FIELDS.map((field) => (QUOTED.includes(field) ? `#{q:${field}}` : `#{${field}}`)).join(
  BETWEEN,
);

/**
 * The lines of an answer, put together again for each pane. Every pane begins with its id, `%12`; in quoted values a
 * percent sign stands behind a backslash, so that no other line begins with one, and none can be taken for tmux's own.
 */
export function paneLines(lines: readonly string[]): string[] {
  const panes: string[][] = [];
  for (const line of lines) {
    if (line.startsWith("%")) panes.push([line]);
    else panes.at(-1)?.push(line);
  }
  return panes.map((each) => each.join("\n"));
}

/** As tmux's `q:` writes it. */
const unquoted = (text: string): string => text.replaceAll(/\\(.)/gs, "$1");

/** Its program has closed the terminal, and how it ended is not known yet. */
export function isEnding(line: string): boolean {
  const values = line.split(BETWEEN);
  const text = (field: Field) => values[FIELDS.indexOf(field)] ?? "";
  return text("pane_dead") === "1" && text("pane_dead_status") === "" && text("pane_dead_signal") === "";
}

export function readPane(line: string): Pane | null {
  const values = line.split(BETWEEN);
  if (values.length !== FIELDS.length) return null;
  const text = (field: Field) => {
    const value = values[FIELDS.indexOf(field)] ?? "";
    return QUOTED.includes(field) ? unquoted(value) : value;
  };
  const number = (field: Field) => Number(text(field));
  const orNull = (value: string) => (value === "" ? null : value);
  // tmux closes the pane first and learns the exit code a moment later; older ones never learn of a signal.
  const known = text("pane_dead_status") !== "" || text("pane_dead_signal") !== "";
  const dead = text("pane_dead") === "1" && (known || !lives(number("pane_pid")));
  const signal = number("pane_dead_signal");
  // Somebody started another program in it: the pane still carries our marks, and is not our run's any more.
  const respawned = text("@banksman_pid") !== "" && text("@banksman_pid") !== text("pane_pid");
  return {
    id: text("pane_id") as PaneId,
    window: text("window_id"),
    role: orNull(text("@banksman_role")) as PaneRole | null,
    agent: orNull(text("@banksman_agent")) as AgentId | null,
    run: (respawned
      ? null
      : (orNull(text("@banksman_run")) ?? runOfCommand(text("pane_start_command")))) as RunId | null,
    pid: number("pane_pid"),
    dead,
    exitCode: !dead ? null : signal > 0 || !known ? 128 + (signal || KILL) : number("pane_dead_status"),
    inMode: text("pane_in_mode") !== "0",
    bare: !dead && isBareShell(number("pane_pid")),
    left: number("pane_left"),
    top: number("pane_top"),
    width: number("pane_width"),
    height: number("pane_height"),
    mark: text("@banksman_mark"),
    path: text("pane_current_path"),
  };
}

const KILL = 9;

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

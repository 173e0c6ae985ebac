import { Box, render, Text, useApp, useInput, useStdout } from "ink";
import { type ReactElement, useEffect, useState } from "react";
import { counted } from "../core/text/counted.ts";
import { onOneLine } from "../core/text/printable.ts";
import { CHIPS, type Dashboard, type Key, OPENED, press } from "../core/views/dashboard.ts";
import type { AgentView, Snapshot } from "../core/views/snapshot.ts";

export interface LogLine {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly from: string;
  readonly text: string;
  readonly message: unknown;
}

export interface Seen {
  readonly snapshot: Snapshot;
  readonly log: readonly LogLine[];
}

/** Where the dashboard gets what it shows, and gives what is typed. It is a client: quitting it stops nothing. */
export interface Source {
  /** Calls back with what is so, again and again; the returned function ends that. */
  follow(show: (seen: Seen | string) => void): () => void;
  /** Carries out a typed line; answers with what to say about it. */
  send(line: string, snapshot: Snapshot | null): Promise<string>;
}

/** Shows the dashboard until somebody quits it. */
export async function showDashboard(source: Source): Promise<void> {
  await render(<Watch source={source} />, { exitOnCtrlC: true }).waitUntilExit();
}

function Watch({ source }: { readonly source: Source }): ReactElement {
  const { exit } = useApp();
  const { stdout } = useStdout();
  const [seen, setSeen] = useState<Seen | null>(null);
  const [note, setNote] = useState("");
  const [dashboard, setDashboard] = useState<Dashboard>(OPENED);
  useEffect(() => source.follow((next) => (typeof next === "string" ? setNote(next) : setSeen(next))), [source]);
  const log = (seen?.log ?? []).filter(({ type }) => dashboard.shown.length === 0 || dashboard.shown.includes(type));
  useInput((text, flags) => {
    let next = dashboard;
    for (const key of toKeys(text, flags)) {
      const pressed = press(next, key, log.length);
      if (pressed.do === "quit") return exit();
      next = pressed.dashboard;
      if (pressed.do === "send") void source.send(pressed.line, seen?.snapshot ?? null).then(setNote);
    }
    setDashboard(next);
  });
  if (seen === null) return <Text dimColor>{note || "looking for the background process …"}</Text>;
  const [rows, columns] = [stdout.rows || 24, stdout.columns || 80];
  const { agents, needsYou, conflicts } = seen.snapshot;
  const room = Math.max(1, rows - agents.length - Math.min(needsYou.length, 4) - Math.min(conflicts.length, 5) - 8);
  return (
    <Box flexDirection="column" width={columns} height={rows - 1}>
      <Text wrap="truncate">
        <Text bold>{seen.snapshot.session ?? "no session"}</Text> {seen.snapshot.status} · {counts(agents)}
      </Text>
      {needsYou.slice(0, 4).map(({ id, kind, agent, text }) => (
        <Text key={id} color="yellow" wrap="truncate">
          {id.includes(":") ? kind : id} {agent ?? ""}: {onOneLine(text)}
        </Text>
      ))}
      <Roster agents={agents} />
      <Conflicts conflicts={conflicts} />
      {dashboard.log && <Log log={log} dashboard={dashboard} room={room} />}
      <Box flexGrow={1} />
      <Text wrap="truncate" dimColor={dashboard.typing === null}>
        {dashboard.typing === null ? note || KEYS : `${dashboard.typing}▏`}
      </Text>
    </Box>
  );
}

const KEYS = "q quit · t tell · r answer · ↑↓ select · ⏎ details · 1-9 kinds · a all · l log";

function Roster({ agents }: { readonly agents: readonly AgentView[] }): ReactElement {
  const wide = (pick: (agent: AgentView) => string) => Math.max(5, ...agents.map((agent) => pick(agent).length));
  const [ids, states] = [wide(({ id }) => id), wide(({ state }) => state)];
  return (
    <Box flexDirection="column" marginTop={1}>
      {agents.map(({ id, state, cli, phase, evidence, inbox }) => (
        <Text key={id} wrap="truncate">
          {id.padEnd(ids)} <Text color={COLOURS[state] ?? "white"}>{state.padEnd(states)}</Text> {cli ?? ""}{" "}
          <Text dimColor>
            {onOneLine(phase ?? evidence)}
            {inbox.undelivered > 0 ? ` · ${inbox.undelivered} unread` : ""}
          </Text>
        </Text>
      ))}
    </Box>
  );
}

const MOST_CONFLICTS = 4;

/** Who is in whose way; `banksman conflicts` has the lines. */
function Conflicts({ conflicts }: Pick<Snapshot, "conflicts">): ReactElement | null {
  if (conflicts.length === 0) return null;
  const more = conflicts.length - MOST_CONFLICTS;
  return (
    <Box flexDirection="column" marginTop={1}>
      {conflicts.slice(0, MOST_CONFLICTS).map(({ kind, between, paths, settled }) => (
        <Text key={`${kind} ${between.join(" ")}`} wrap="truncate">
          <Text color={kind === "predicted" ? "red" : settled ? "green" : "yellow"}>{settled ? "merges" : kind}</Text>{" "}
          {between.join(" × ")} <Text dimColor>{onOneLine(paths.join(", "))}</Text>
        </Text>
      ))}
      {more > 0 && <Text dimColor>and {more} more: banksman conflicts</Text>}
    </Box>
  );
}

const COLOURS: Readonly<Record<string, string>> = {
  working: "cyan",
  waiting: "yellow",
  blocked: "yellow",
  failed: "red",
  stuck: "red",
  done: "green",
  committed: "green",
  verified: "green",
};

interface LogProps {
  readonly log: readonly LogLine[];
  readonly dashboard: Dashboard;
  readonly room: number;
}

function Log({ log, dashboard: { selected, details, shown }, room }: LogProps): ReactElement {
  const chosen = selected === null ? undefined : log.at(-1 - selected);
  const end =
    selected === null ? log.length : Math.max(Math.min(log.length, log.length - selected + Math.floor(room / 2)), room);
  const visible = log.slice(Math.max(0, end - room), end);
  return (
    <Box flexDirection="column" marginTop={1}>
      <Text dimColor wrap="truncate">
        {CHIPS.map((chip, i) => `${i + 1} ${shown.includes(chip) ? `[${chip}]` : chip}`).join("  ")}
      </Text>
      {details && chosen !== undefined ? (
        <Text>{JSON.stringify(chosen.message, null, 1).split("\n").slice(0, room).map(onOneLine).join("\n")}</Text>
      ) : (
        visible.map((line) => (
          <Text key={line.seq} inverse={line === chosen} wrap="truncate">
            {line.at.slice(11, 19)} · {line.type} · {line.from} · {onOneLine(line.text)}
          </Text>
        ))
      )}
    </Box>
  );
}

function counts(agents: readonly AgentView[]): string {
  const count = (state: string) => agents.filter((agent) => agent.state === state).length;
  const parts = ["working", "waiting", "blocked", "committed", "done", "failed"].map(
    (state) => [state, count(state)] as const,
  );
  const shown = parts.filter(([, n]) => n > 0).map(([state, n]) => `${n} ${state}`);
  return [counted(agents.length, "agent"), ...shown].join(", ");
}

interface Flags {
  readonly upArrow: boolean;
  readonly downArrow: boolean;
  readonly return: boolean;
  readonly escape: boolean;
  readonly backspace: boolean;
  readonly delete: boolean;
}

/** What is typed fast or pasted comes in one piece, its line ends among it. */
function toKeys(text: string, flags: Flags): Key[] {
  if (text.length < 2) return [toKey(text, flags)];
  return [...text].map((each) => (each === "\r" || each === "\n" ? { text: "", name: "enter" } : { text: each }));
}

function toKey(text: string, flags: Flags): Key {
  if (flags.upArrow) return { text: "", name: "up" };
  if (flags.downArrow) return { text: "", name: "down" };
  if (flags.return) return { text: "", name: "enter" };
  if (flags.escape) return { text: "", name: "escape" };
  return flags.backspace || flags.delete ? { text: "", name: "backspace" } : { text };
}

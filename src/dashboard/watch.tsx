import { Box, render, Text, useApp, useInput, useStdout } from "ink";
import { createContext, type ReactElement, useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
import { conflictWords } from "../core/conflicts/view.ts";
import { trainInWords } from "../core/landing/view.ts";
import { counted } from "../core/text/counted.ts";
import { onOneLine } from "../core/text/printable.ts";
import { CHIPS, type Dashboard, OPENED, press } from "../core/views/dashboard.ts";
import { planRows, shownOf } from "../core/views/plan-rows.ts";
import { PASTE_OFF, PASTE_ON, type Pasting, readKeys } from "../core/views/read-keys.ts";
import { type AgentView, heldWords, type Snapshot } from "../core/views/snapshot.ts";
import { nameOfNeed, needInWords, ofWhom } from "../core/views/what-to-do.ts";

export interface LogLine {
  readonly seq: number;
  /** For people: in their own time zone. */
  readonly time: string;
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

/** Shows the dashboard until somebody quits it. Without colours every state is still a word. */
export async function showDashboard(source: Source, colours: boolean): Promise<void> {
  const watch = (
    <Colours value={colours}>
      <Watch source={source} />
    </Colours>
  );
  await render(watch, { exitOnCtrlC: true }).waitUntilExit();
}

const Colours = createContext(true);

/** A colour by its name, or none where none are wanted. */
function usePaint(): (name: string) => { readonly color?: string } {
  const colours = useContext(Colours);
  return (name) => (colours ? { color: name } : {});
}

/** The terminal's size, followed at once; and pastes told from what is typed, as long as this is shown. */
function useTerminal(): { readonly rows: number; readonly columns: number } {
  const { stdout } = useStdout();
  const [, setChanges] = useState(0);
  useEffect(() => {
    const changed = () => setChanges((count) => count + 1);
    stdout.on("resize", changed);
    return () => void stdout.off("resize", changed);
  }, [stdout]);
  useLayoutEffect(() => {
    stdout.write(PASTE_ON);
    return () => void stdout.write(PASTE_OFF);
  }, [stdout]);
  return { rows: stdout.rows || 24, columns: stdout.columns || 80 };
}

function Watch({ source }: { readonly source: Source }): ReactElement {
  const { exit } = useApp();
  const { rows: height, columns } = useTerminal();
  const [seen, setSeen] = useState<Seen | null>(null);
  const [note, setNote] = useState("");
  // Why nothing new is shown: over as soon as something is.
  const [problem, setProblem] = useState("");
  const [dashboard, setDashboard] = useState<Dashboard>(OPENED);
  useEffect(
    () =>
      source.follow((next) => {
        setProblem(typeof next === "string" ? next : "");
        if (typeof next !== "string") setSeen(next);
      }),
    [source],
  );
  const log = (seen?.log ?? []).filter(({ type }) => dashboard.shown.length === 0 || dashboard.shown.includes(type));
  // Several keys can come before the next frame: each goes on from what the one before has made.
  const now = useRef<{ dashboard: Dashboard; pasting: Pasting }>({ dashboard, pasting: null });
  useInput((text, flags) => {
    const { keys, pasting } = readKeys(now.current.pasting, text, flags);
    now.current.pasting = pasting;
    for (const key of keys) {
      const pressed = press(now.current.dashboard, key, log.length);
      if (pressed.do === "quit") return exit();
      now.current.dashboard = pressed.dashboard;
      if (pressed.do === "send") void source.send(pressed.line, seen?.snapshot ?? null).then(setNote);
      else setNote("");
    }
    setDashboard(now.current.dashboard);
  });
  if (seen === null) return <Text dimColor>{problem || "looking for the background process …"}</Text>;
  const { agents, needsYou, conflicts, landing } = seen.snapshot;
  const wanted = { needs: needsYou.length, agents: agents.length, conflicts: conflicts.length, log: dashboard.log };
  const rows = planRows(height - 1, wanted);
  return (
    <Box flexDirection="column" width={columns} height={height - 1} overflow="hidden">
      <Text wrap="truncate">
        <Text bold>{seen.snapshot.session ?? "no session"}</Text> {seen.snapshot.status} · {counts(agents)}
        {landing?.running ? ` · landing: ${onOneLine(trainInWords(landing))}` : ""}
      </Text>
      <Needs needs={needsYou} rows={rows.needs} />
      <Roster agents={agents} rows={rows.agents} apart={rows.apart} />
      {rows.conflicts > 0 && <Conflicts conflicts={conflicts} rows={rows.conflicts} apart={rows.apart} />}
      {rows.log > 0 && <Log log={log} dashboard={dashboard} rows={rows.log} apart={rows.apart} />}
      <Box flexGrow={1} />
      <Text wrap="truncate" dimColor={dashboard.typing === null}>
        {dashboard.typing === null ? onOneLine(problem || note || KEYS) : `${onOneLine(dashboard.typing)}▏`}
      </Text>
    </Box>
  );
}

interface Part {
  readonly rows: number;
  readonly apart: boolean;
}

/** What of a list does not fit is counted, with the command that shows all. */
const More = ({ count, command }: { readonly count: number; readonly command: string }): ReactElement | null =>
  count === 0 ? null : (
    <Text dimColor wrap="truncate">
      and {count} more: banksman {command}
    </Text>
  );

function Needs({ needs, rows }: { readonly needs: Snapshot["needsYou"]; readonly rows: number }): ReactElement {
  const paint = usePaint();
  const { shown, more } = shownOf(needs.length, rows);
  return (
    <Box flexDirection="column" flexShrink={0}>
      {needs.slice(0, shown).map((need) => (
        <Text key={need.id} {...paint("yellow")} wrap="truncate">
          {nameOfNeed(need)}
          {ofWhom(need)}: {needInWords(need)}
        </Text>
      ))}
      <More count={more} command="questions" />
    </Box>
  );
}

const KEYS = "q quit · t tell · r answer · ↑↓ select · ⏎ details · 1-9 kinds · a all · l log";

function Roster({ agents, rows, apart }: Part & { readonly agents: readonly AgentView[] }): ReactElement {
  const paint = usePaint();
  const wide = (pick: (agent: AgentView) => string) => Math.max(5, ...agents.map((agent) => pick(agent).length));
  const [ids, states] = [wide(({ id }) => id), wide(({ state }) => state)];
  const { shown, more } = shownOf(agents.length, rows);
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={apart ? 1 : 0}>
      {agents.slice(0, shown).map((agent) => (
        <Text key={agent.id} wrap="truncate">
          {agent.id.padEnd(ids)} <Text {...paint(COLOURS[agent.state] ?? "white")}>{agent.state.padEnd(states)}</Text>{" "}
          {agent.cli ?? ""} <Text dimColor>{detail(agent)}</Text>
        </Text>
      ))}
      <More count={more} command="status" />
    </Box>
  );
}

const detail = (agent: AgentView): string =>
  [
    agent.red === undefined ? "" : `red: ${onOneLine(agent.red)}`,
    heldWords(agent),
    onOneLine(agent.phase ?? agent.evidence),
    agent.inbox.undelivered > 0 ? `${agent.inbox.undelivered} unread` : "",
  ]
    .filter((part) => part !== "")
    .join(" · ");

/** Who is in whose way; `banksman conflicts` has the lines. */
function Conflicts({ conflicts, rows, apart }: Part & Pick<Snapshot, "conflicts">): ReactElement {
  const paint = usePaint();
  const { shown, more } = shownOf(conflicts.length, rows);
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={apart ? 1 : 0}>
      {conflicts.slice(0, shown).map((conflict) => {
        const { kind, between, paths, settled } = conflict;
        return (
          <Text key={`${kind} ${between.join(" ")}`} wrap="truncate">
            {between.map(onOneLine).join(" × ")}{" "}
            <Text {...paint(kind === "predicted" ? "red" : settled ? "green" : "yellow")}>
              {conflictWords(conflict)}
            </Text>
            : <Text dimColor>{onOneLine(paths.join(", "))}</Text>
          </Text>
        );
      })}
      <More count={more} command="conflicts" />
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

interface LogProps extends Part {
  readonly log: readonly LogLine[];
  readonly dashboard: Dashboard;
}

function Log({ log, dashboard: { selected, details, shown }, rows, apart }: LogProps): ReactElement {
  const chosen = selected === null ? undefined : log.at(-1 - selected);
  const end =
    selected === null ? log.length : Math.max(Math.min(log.length, log.length - selected + Math.floor(rows / 2)), rows);
  const visible = log.slice(Math.max(0, end - rows), end);
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={apart ? 1 : 0}>
      <Text dimColor wrap="truncate">
        {CHIPS.map((chip, i) => `${i + 1} ${shown.includes(chip) ? `[${chip}]` : chip}`).join("  ")}
      </Text>
      {details && chosen !== undefined
        ? linesOf(chosen.message, rows).map(({ at, text }) => (
            <Text key={at} wrap="truncate">
              {text}
            </Text>
          ))
        : visible.map((line) => (
            <Text key={line.seq} inverse={line === chosen} wrap="truncate">
              {line.time} · {line.type} · {line.from} · {onOneLine(unsaid(line))}
            </Text>
          ))}
    </Box>
  );
}

/** Without the kind, where the text says it once more. */
const unsaid = ({ type, text }: LogLine): string => (text.startsWith(`${type}: `) ? text.slice(type.length + 2) : text);

const linesOf = (message: unknown, rows: number): { readonly at: number; readonly text: string }[] =>
  JSON.stringify(message, null, 1)
    .split("\n")
    .slice(0, rows)
    .map((line, at) => ({ at, text: onOneLine(line) }));

function counts(agents: readonly AgentView[]): string {
  const count = (state: string) => agents.filter((agent) => agent.state === state).length;
  const parts = ["working", "waiting", "blocked", "committed", "done", "failed"].map(
    (state) => [state, count(state)] as const,
  );
  const shown = parts.filter(([, n]) => n > 0).map(([state, n]) => `${n} ${state}`);
  return [counted(agents.length, "agent"), ...shown].join(", ");
}

import colors from "picocolors";
import { conflictWords } from "../../core/conflicts/view.ts";
import { trainInWords } from "../../core/landing/view.ts";
import { inOneLine } from "../../core/messages/finding.ts";
import { isAtPane } from "../../core/messages/phase.ts";
import { counted } from "../../core/text/counted.ts";
import { onOneLine } from "../../core/text/printable.ts";
import { type AgentView, heldWords, type Snapshot } from "../../core/views/snapshot.ts";
import { needInWords, ofWhom } from "../../core/views/what-to-do.ts";
import { localTime } from "./local-time.ts";
import { renderLanding } from "./render-landing.ts";

/** `status` for people. */
export function renderStatus(snapshot: Snapshot, now: number): string {
  if (snapshot.session === null) {
    const start = "Start one: banksman start --branches feat/a,feat/b --cli <name>";
    // Branches are verified and landed without a session, too, and may wait for a person.
    const parts = [...renderNeeds(snapshot.needsYou), ...renderQueue(snapshot.landing)];
    return `${[`No session in ${snapshot.project}.`, start, ...parts].join("\n")}\n`;
  }
  const { supervisor, needsYou, trouble } = snapshot;
  const lines = [
    `${colors.bold(snapshot.session)}  ${statusWord(snapshot.status)}  ${began(snapshot.createdAt, now)}`,
    supervisor
      ? colors.dim(`background process ${supervisor.pid} at ${supervisor.url}`)
      : colors.dim("no background process; `banksman start` brings the session back"),
    ...(trouble === undefined ? [] : [colors.red(`${trouble.message} ${trouble.hint}`)]),
    ...renderNeeds(needsYou),
    "",
    ...renderAgents(snapshot.agents, now),
    ...renderWarnings(snapshot.agents),
    ...renderWays(snapshot.conflicts),
    ...renderCombinations(snapshot.combinations),
    ...renderQueue(snapshot.landing),
  ];
  return `${lines.join("\n")}\n`;
}

const began = (at: string | null, now: number): string =>
  at === null ? "" : `since ${localTime(at, now)} (${age(at, now)} ago)`;

function renderNeeds(needs: Snapshot["needsYou"]): string[] {
  if (needs.length === 0) return [];
  const lines = needs.map(
    (need) => `  ${colors.yellow(answerable(need).padEnd(5))} ${need.kind}${ofWhom(need)}: ${needInWords(need)}`,
  );
  return ["", colors.bold("Needs you"), ...lines];
}

/** What is not a question cannot be answered from here; its text says what to do. */
const answerable = ({ id }: Snapshot["needsYou"][number]): string => (id.includes(":") ? "" : id);

/** Of its set-up, or of what we cannot do for it at the moment. */
function renderWarnings(agents: readonly AgentView[]): string[] {
  const lines = agents.flatMap(({ id, warnings }) =>
    warnings.map((text) => `  ${colors.yellow(id)} ${onOneLine(text)}`),
  );
  return lines.length === 0 ? [] : ["", colors.bold("Warnings"), ...lines];
}

const MOST_CONFLICTS = 5;

/** A supervisor of an earlier version says nothing of it. */
function renderWays(conflicts: Snapshot["conflicts"] = []): string[] {
  if (conflicts.length === 0) return [];
  const lines = conflicts.slice(0, MOST_CONFLICTS).map((conflict) => {
    const { kind, between, paths, settled } = conflict;
    const paint = settled ? colors.green : kind === "predicted" ? colors.red : colors.yellow;
    return `  ${between.join(" × ")}  ${paint(conflictWords(conflict))}: ${onOneLine(paths.join(", ")).slice(0, 100)}`;
  });
  const more = conflicts.length > MOST_CONFLICTS ? [`  and ${conflicts.length - MOST_CONFLICTS} more`] : [];
  return ["", `${colors.bold("Conflicts")} ${colors.dim("(banksman conflicts)")}`, ...lines, ...more];
}

/** Work that merges, and fails. */
function renderCombinations(combinations: Snapshot["combinations"] = []): string[] {
  if (combinations.length === 0) return [];
  const lines = combinations.map(({ agents, findings: [first] }) => {
    const what = first === undefined ? "" : `: ${inOneLine(first).replace(/^\[[^\]]*\] /, "")}`;
    return `  ${colors.red(`${agents.join(" and ")} are red together`)}${what.slice(0, 160)}`;
  });
  return ["", colors.bold("Tested together"), ...lines];
}

/** While something lands, or waits to. */
function renderQueue(landing: Snapshot["landing"] = null): string[] {
  if (landing === null || (!landing.running && landing.waiting.length === 0 && landing.bounced.length === 0)) return [];
  const body = renderLanding(landing).trimEnd();
  return [
    "",
    `${colors.bold(`Landing on ${landing.target}`)} ${colors.dim("(banksman land --watch)")}`,
    ...(landing.running ? [`  ${trainInWords(landing)}`] : []),
    ...(body === "" ? [] : body.split("\n").map((line) => `  ${line}`)),
  ];
}

/** Who says something, and to whom where it is one: the supervisor's words to two agents look the same otherwise. */
export const speaker = (from: string, to: readonly string[]): string =>
  to.length === 1 && to[0] !== "*" && to[0] !== from && from === "supervisor" ? `${from} → ${to[0]}` : from;

/** One line per agent, columns as wide as they have to be. */
export function renderAgents(agents: readonly AgentView[], now: number): string[] {
  if (agents.length === 0) return ["No agents."];
  const rows = agents.map((agent) => [
    agent.id,
    agent.state,
    agent.cli ?? "",
    onOneLine(agent.branch ?? ""),
    age(agent.lastSeen ?? agent.since, now),
    detail(agent, now),
  ]);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row, i) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    const { state } = agents[i] as AgentView;
    return `  ${cells.map((cell, column) => (column === 1 ? paint(state, cell) : column === 5 ? colors.dim(cell) : cell)).join("  ")}`.trimEnd();
  });
}

function detail(agent: AgentView, now: number): string {
  const { phase, phaseCode, phaseSince, evidence, modifiedFiles, inbox } = agent;
  const files = modifiedFiles.length > 0 ? counted(modifiedFiles.length, "file") : "";
  const mail = inbox.undelivered > 0 ? `${inbox.undelivered} unread` : "";
  const since = phaseSince === undefined ? "" : ` since ${localTime(phaseSince, now)}`;
  const at = isAtPane(phaseCode) ? evidence : phase === undefined ? evidence : `${phase}${since}`;
  const red = agent.red === undefined ? "" : colors.red(`red: ${oneLine(agent.red)}`);
  return [red, heldWords(agent), oneLine(at), files, mail].filter((part) => part !== "").join(" · ");
}

const oneLine = (text: string): string => onOneLine(text.split("\n")[0] ?? "").slice(0, 100);

/** How long ago, in the largest unit that fits. */
export function age(since: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return `${Math.floor(seconds / 3600)}h${Math.floor((seconds % 3600) / 60)}m`;
}

function statusWord(status: string): string {
  return status === "active" ? colors.green(status) : colors.yellow(status);
}

function paint(state: string, text: string): string {
  if (state === "failed" || state === "stuck" || state === "bounced") return colors.red(text);
  if (state === "waiting" || state === "blocked") return colors.yellow(text);
  if (state === "committed" || state === "verified" || state === "done" || state === "landed")
    return colors.green(text);
  return state === "working" ? colors.cyan(text) : colors.dim(text);
}

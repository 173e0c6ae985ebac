import type { AgentId, Branch } from "../text/ids.ts";

/** Which panes a session has besides its agents'. */
export const ARRANGEMENTS = ["supervisor", "broker", "plain"] as const;
export type Arrangement = (typeof ARRANGEMENTS)[number];

export type PaneRole = "supervisor" | "dashboard" | "agent";

/** Where one pane of the session lies. Positions count through all windows and are what titles and status show. */
export interface PanePlan {
  readonly window: number;
  readonly position: number;
  readonly role: PaneRole;
  readonly agent: AgentId | null;
  readonly title: string;
  readonly row: number;
  readonly heightPercent: number;
  readonly widthPercent: number;
}

const MOST_PER_ROW = 5;
const MOST_PER_WINDOW = 25;
/** Of the top row, by how many rows of agents lie below it; they share the rest equally. */
const TOP_PERCENT: Readonly<Record<number, number>> = { 1: 40, 2: 40, 3: 28, 4: 28, 5: 28 };

const TOPS: Readonly<Record<Arrangement, readonly Exclude<PaneRole, "agent">[]>> = {
  supervisor: ["supervisor", "dashboard"],
  broker: ["dashboard"],
  plain: [],
};

/** Supervisor and dashboard above, agents below in rows of at most five; beyond 25 agents further windows without them. */
export function planPanes(
  arrangement: Arrangement,
  agents: readonly { readonly id: AgentId; readonly branch: Branch }[],
): PanePlan[] {
  const tops = TOPS[arrangement];
  const windows = Math.max(1, Math.ceil(agents.length / MOST_PER_WINDOW));
  return Array.from({ length: windows }, (_, window) => {
    const mine = agents.slice(window * MOST_PER_WINDOW, (window + 1) * MOST_PER_WINDOW);
    const first = window === 0 ? 0 : tops.length + window * MOST_PER_WINDOW;
    return planWindow({ window, first, tops: window === 0 ? tops : [] }, mine);
  }).flat();
}

function planWindow(
  { window, first, tops }: { window: number; first: number; tops: readonly Exclude<PaneRole, "agent">[] },
  agents: readonly { readonly id: AgentId; readonly branch: Branch }[],
): PanePlan[] {
  const rows = Math.ceil(agents.length / MOST_PER_ROW);
  const top = tops.length === 0 ? 0 : rows === 0 ? 100 : (TOP_PERCENT[rows] ?? 28);
  const above = tops.map(
    (role, i): PanePlan => ({
      window,
      position: first + i,
      role,
      agent: null,
      title: `${first + i}: ${role}`,
      row: 0,
      heightPercent: top,
      widthPercent: 100 / tops.length,
    }),
  );
  const below = agents.map(({ id, branch }, i): PanePlan => {
    const row = Math.floor(i / MOST_PER_ROW);
    const inRow = Math.min(MOST_PER_ROW, agents.length - row * MOST_PER_ROW);
    const position = first + tops.length + i;
    return {
      window,
      position,
      role: "agent",
      agent: id,
      title: `${position}: ${branch}`,
      row: row + (tops.length > 0 ? 1 : 0),
      heightPercent: (100 - top) / rows,
      widthPercent: 100 / inRow,
    };
  });
  return [...above, ...below];
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What a session that nobody has attached to is drawn at, at least: what `peek` shows then fits on a screen. */
const UNSEEN: Size = { width: 200, height: 50 };
/** Of an agent's pane: enough to read a question in it, and its answers. */
const READABLE: Size = { width: 80, height: 20 };

/** The size of a window that nobody looks at: every agent can be read in it. Whoever attaches brings a size of their own. */
export function unseenSize(panes: readonly PanePlan[]): Size {
  const [widths, heights] = [[UNSEEN.width], [UNSEEN.height]];
  for (const { row, role, heightPercent } of panes) {
    const beside = panes.filter((each) => each.row === row).length;
    widths.push(beside * (READABLE.width + 1) - 1);
    if (role === "agent") heights.push(Math.ceil((READABLE.height + 1) / (heightPercent / 100)));
  }
  return { width: Math.max(...widths), height: Math.max(...heights) };
}

/** What a window of the session is called. */
export const windowName = (window: number): string => (window === 0 ? "agents" : `agents-${window + 1}`);

/**
 * tmux's own notation for where the panes of one window lie, in the order of their positions. With it one command puts
 * all of them in place, whatever was split from what.
 */
export function layoutString(panes: readonly PanePlan[], { width, height }: Size): string {
  const rows = [...new Set(panes.map(({ row }) => row))].map((row) => panes.filter((each) => each.row === row));
  const heights = share(
    height - (rows.length - 1),
    rows.map(([first]) => first?.heightPercent ?? 0),
  );
  let y = 0;
  const cells = rows.map((row, i) => {
    const cell = rowCell(row, { width, height: heights[i] ?? 1 }, y);
    y += (heights[i] ?? 1) + 1;
    return cell;
  });
  const body = cells.length === 1 ? (cells[0] ?? "") : `${width}x${height},0,0[${cells.join(",")}]`;
  return `${checksum(body)},${body}`;
}

function rowCell(row: readonly PanePlan[], { width, height }: Size, y: number): string {
  if (row.length === 1) return `${width}x${height},0,${y},0`;
  const widths = share(
    width - (row.length - 1),
    row.map(() => 1),
  );
  let x = 0;
  const cells = widths.map((wide) => {
    const cell = `${wide}x${height},${x},${y},0`;
    x += wide + 1;
    return cell;
  });
  return `${width}x${height},0,${y}{${cells.join(",")}}`;
}

/** Divides whole cells by weight: they add up to the total, and none is empty. */
export function share(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, each) => all + each, 0);
  const spare = Math.max(0, total - weights.length);
  let before = 0;
  let given = 0;
  return weights.map((weight) => {
    before += weight;
    const upTo = Math.round((spare * before) / sum);
    const mine = upTo - given;
    given = upTo;
    return mine + 1;
  });
}

/** As tmux checks it: a 16-bit sum that turns right by one bit before each character. */
function checksum(body: string): string {
  let sum = 0;
  for (let i = 0; i < body.length; i++) sum = ((sum >> 1) + ((sum & 1) << 15) + body.charCodeAt(i)) & 0xffff;
  return sum.toString(16).padStart(4, "0");
}

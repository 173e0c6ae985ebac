import { layoutString, type PanePlan, type Size, unseenSize, windowName } from "../../core/session/layout.ts";
import { tmuxFormat, tmuxWord } from "../../core/text/quote.ts";
import type { Pane, TmuxSession } from "../../ports/tmux.ts";
import { Refused } from "./control.ts";
import type { Server } from "./server.ts";
import { windowOptions } from "./window-options.ts";

/** Room to split for 25 agents. */
const ROOM: Size = { width: 480, height: 140 };

export interface Arranging {
  readonly server: Server;
  /** The sizes that windows were last arranged for. */
  readonly arranged: Map<string, string>;
  look(session: string): Promise<TmuxSession | null>;
}

/** Puts the panes of a session where the plan wants them, window by window. */
export async function arrangePanes(tmux: Arranging, session: string, plan: readonly PanePlan[]): Promise<void> {
  const found = await tmux.look(session);
  if (found === null || plan.length === 0) return;
  for (const window of new Set(plan.map((each) => each.window)))
    await arrangeWindow(
      tmux,
      session,
      plan.filter((each) => each.window === window),
      found.panes,
    );
}

async function arrangeWindow(
  tmux: Arranging,
  session: string,
  plan: readonly PanePlan[],
  panes: readonly Pane[],
): Promise<void> {
  const { server } = tmux;
  const placed = plan.flatMap((spot) => {
    const pane = panes.find((each) => (spot.agent === null ? each.role === spot.role : each.agent === spot.agent));
    return pane === undefined ? [] : [{ spot, pane }];
  });
  const [first] = placed;
  if (first === undefined) return;
  const window = await gather(
    tmux,
    session,
    first.spot.window,
    placed.map(({ pane }) => pane),
    panes,
  );
  const titles = placed.map(
    ({ spot, pane }) =>
      `set-option -p -t ${pane.id} @banksman_title ${tmuxWord(spot.title)} ; select-pane -t ${pane.id} -T ${tmuxWord(tmuxFormat(spot.title))}`,
  );
  await server.run(session, titles.join(" ; "));
  const spots = placed.map(({ spot }) => spot);
  const size = await sizeOf(server, session, window, spots);
  tmux.arranged.set(window, nameOf(size));
  const strangers = (await tmux.look(session))?.panes.filter(
    (each) => each.window === window && !placed.some(({ pane }) => pane.id === each.id),
  );
  if (strangers !== undefined && strangers.length > 0) return;
  await server.run(session, `select-layout -t ${window} ${tmuxWord(layoutString(spots, size))}`);
}

/** As programs and people name a size. */
export const nameOf = ({ width, height }: Size): string => `${width}x${height}`;

/**
 * The window's size: that of whoever looks at it, or that was given to it by hand. Where nobody does, it gets one in which
 * every agent can be read.
 */
async function sizeOf(server: Server, session: string, window: string, spots: readonly PanePlan[]): Promise<Size> {
  const asked = "#{window_width} #{window_height} #{session_attached} #{window-size}";
  const [line = ""] = await server.run(session, `display-message -p -t ${window} ${tmuxWord(asked)}`);
  const [width = 0, height = 0, attached = 0] = line.split(" ").map(Number);
  // One of those who are attached is our own connection.
  if (attached > 1 || line.endsWith(" manual")) return { width, height };
  const wanted = unseenSize(spots);
  if (wanted.width !== width || wanted.height !== height)
    await server.run(session, `${resize(window, wanted)} ; ${byClients(window)}`);
  return wanted;
}

const resize = (window: string, { width, height }: Size): string =>
  `resize-window -x ${width} -y ${height} -t ${window}`;

/** From here on its size is that of whoever is attached, as before it was resized. */
const byClients = (window: string): string => `set-option -uw -t ${window} window-size`;

/** All panes of one planned window in one window of tmux, in the plan's order. Answers with that window. */
async function gather(
  tmux: Arranging,
  session: string,
  planned: number,
  wanted: readonly Pane[],
  all: readonly Pane[],
): Promise<string> {
  const { server } = tmux;
  const windows = [...new Set(all.map(({ window }) => window))];
  let window = windows[planned];
  if (window === undefined) {
    const [first] = wanted as [Pane];
    const [made = ""] = await server.run(
      session,
      `break-pane -d -P -F '#{window_id}' -n ${windowName(planned)} -s ${first.id}`,
    );
    window = made;
    for (const option of windowOptions(window, true)) await server.run(session, option.map(tmuxWord).join(" "));
  }
  const here = async () => ((await tmux.look(session))?.panes ?? []).filter((each) => each.window === window);
  let inside = await here();
  for (const { id } of wanted) {
    const last = inside.at(-1);
    if (last === undefined || inside.some((each) => each.id === id)) continue;
    await withRoom(server, session, window, `join-pane -d -s ${id} -t ${last.id}`);
    inside = await here();
  }
  let order = inside.map(({ id }) => id);
  const swaps: string[] = [];
  for (const [i, { id }] of wanted.entries()) {
    const at = order[i];
    if (at === undefined || at === id) continue;
    swaps.push(`swap-pane -d -s ${id} -t ${at}`);
    order = order.map((each) => (each === id ? at : each === at ? id : each));
  }
  if (swaps.length > 0) await server.run(session, swaps.join(" ; "));
  return window;
}

/** A command that needs room for one more pane; where there is none, room is made first. */
export async function withRoom(server: Server, session: string, window: string, line: string): Promise<string[]> {
  try {
    return await server.run(session, line);
  } catch (error) {
    if (!(error instanceof Refused) || !/no space|too small/.test(error.message)) throw error;
    await server.run(session, resize(window, ROOM));
    await server.run(session, `select-layout -t ${window} tiled`);
    const made = await server.run(session, line);
    await server.run(session, byClients(window));
    return made;
  }
}

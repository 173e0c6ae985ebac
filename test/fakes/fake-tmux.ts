import { Failed } from "../../src/core/failure/failed.ts";
import type { PanePlan } from "../../src/core/session/layout.ts";
import type { RunId } from "../../src/core/text/ids.ts";
import { typeable } from "../../src/core/text/printable.ts";
import type { Pane, PaneId, PaneOrder, Tmux, TmuxSession } from "../../src/ports/tmux.ts";

interface FakePane {
  pane: Pane;
  order: PaneOrder;
  screen: string;
  /** Everything that was typed, paste by paste and key by key. */
  typed: string[];
}

/** A tmux server in memory. It outlives the Tmux, as the real one outlives a supervisor. */
export class FakeTmux implements Tmux {
  readonly sessions = new Map<string, { owner: string | null; panes: FakePane[] }>();
  arranged: readonly PanePlan[] = [];
  private made = 0;

  version = async () => "3.3a";

  async look(session: string): Promise<TmuxSession | null> {
    const found = this.sessions.get(session);
    return found === undefined ? null : { owner: found.owner, panes: found.panes.map(({ pane }) => pane) };
  }

  async open(order: PaneOrder): Promise<PaneId> {
    const session = this.sessions.get(order.session) ?? { owner: order.owner, panes: [] };
    if (session.owner !== order.owner) throw new Failed({ kind: "tmux.namesake", session: order.session });
    this.sessions.set(order.session, session);
    const same = ({ pane }: FakePane) =>
      order.role === "agent" ? pane.agent === order.agent : pane.role === order.role;
    const own = session.panes.find(same);
    if (own !== undefined && order.keep && !own.pane.dead) return own.pane.id;
    const pane: Pane = {
      id: own?.pane.id ?? (`%${++this.made}` as PaneId),
      window: "@1",
      role: order.role,
      agent: order.agent,
      run: order.run,
      pid: 1000 + ++this.made,
      dead: false,
      exitCode: null,
      inMode: false,
      bare: false,
      path: order.cwd,
      mark: "",
      left: 0,
      top: 0,
      width: 80,
      height: 24,
    };
    const made = { pane, order, screen: "", typed: [] };
    if (own === undefined) session.panes.push(made);
    else session.panes[session.panes.indexOf(own)] = made;
    return pane.id;
  }

  async arrange(_session: string, plan: readonly PanePlan[]): Promise<void> {
    this.arranged = plan;
  }

  paste = async (id: PaneId, run: RunId, text: string, mark: string) => this.type(id, run, typeable(text), mark);
  press = async (id: PaneId, run: RunId, key: string) => this.type(id, run, key, null);
  mark = async (id: PaneId, run: RunId, mark: string) => this.type(id, run, null, mark);

  async pane(id: PaneId): Promise<Pane | null> {
    return this.find(id)?.pane ?? null;
  }

  async capture(id: PaneId): Promise<string | null> {
    return this.find(id)?.screen ?? null;
  }

  async close(id: PaneId): Promise<void> {
    for (const [name, session] of this.sessions) {
      session.panes = session.panes.filter(({ pane }) => pane.id !== id);
      if (session.panes.length === 0) this.sessions.delete(name);
    }
  }

  log = async () => undefined;
  leave = async () => undefined;

  /** What a test does to a pane: its program shows something, moves, ends, or somebody goes into copy mode. */
  change(id: PaneId, change: Partial<Pane> & { readonly screen?: string }): void {
    const found = this.find(id);
    if (found === undefined) return;
    const { screen = found.screen, ...rest } = change;
    found.screen = screen;
    found.pane = { ...found.pane, ...rest };
  }

  typedInto = (id: PaneId): readonly string[] => this.find(id)?.typed ?? [];

  private type(id: PaneId, run: RunId, text: string | null, mark: string | null): boolean {
    const found = this.find(id);
    if (found === undefined || found.pane.run !== run || found.pane.dead || found.pane.inMode) return false;
    if (text !== null) found.typed.push(text);
    if (mark !== null) found.pane = { ...found.pane, mark };
    return true;
  }

  private find(id: PaneId): FakePane | undefined {
    return [...this.sessions.values()].flatMap(({ panes }) => panes).find(({ pane }) => pane.id === id);
  }
}

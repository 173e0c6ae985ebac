import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createRefresher } from "../../async/refresher.ts";
import { createTurns } from "../../async/turns.ts";
import { Failed } from "../../core/failure/failed.ts";
import { type PanePlan, unseenSize, windowName } from "../../core/session/layout.ts";
import type { RunId } from "../../core/text/ids.ts";
import { typeable } from "../../core/text/printable.ts";
import { shellWord, tmuxFormat, tmuxWord } from "../../core/text/quote.ts";
import type { Pane, PaneId, PaneOrder, Tmux, TmuxSession } from "../../ports/tmux.ts";
import { arrangePanes, nameOf, withRoom } from "./arrange.ts";
import { captureTo } from "./capture.ts";
import { type LayoutNotice, Lost, Refused } from "./control.ts";
import { exchangeFile } from "./exchange-file.ts";
import { letGo, writeLaunchFile } from "./launch-file.ts";
import { isEnding, PANE_FORMAT, paneLines, readPane } from "./read-panes.ts";
import { Server } from "./server.ts";
import { windowOptions } from "./window-options.ts";

export interface TmuxPlace {
  /** A server of our own (`BANKSMAN_TMUX_SOCKET`: a path or a name); null is the user's. */
  readonly socket: string | null;
  /** Ours alone: launch files and texts on their way into a pane. */
  readonly folder: string;
  /** Looks go over one lasting connection; without it each is a process of its own. */
  readonly lasting: boolean;
}

export function createTmux(env: NodeJS.ProcessEnv, place: TmuxPlace): Tmux {
  return new RealTmux(env, place);
}

class RealTmux implements Tmux {
  readonly server: Server;
  readonly arranged = new Map<string, string>();
  /** As it was last to be arranged. */
  private plan: { readonly session: string; readonly panes: readonly PanePlan[] } | null = null;
  /** What changes the set of panes happens one at a time. */
  private readonly inTurn = createTurns();

  constructor(
    env: NodeJS.ProcessEnv,
    private readonly place: TmuxPlace,
  ) {
    this.server = new Server(env, place.socket, (notice) => this.resized(notice));
  }

  /** Somebody attached, or has a larger window now: tmux gives or takes lines without regard to whose they are. */
  private resized({ session, window, size, zoomed }: LayoutNotice): void {
    const isNews = this.arranged.has(window) && this.arranged.get(window) !== nameOf(size);
    if (!isNews || zoomed || this.plan?.session !== session) return;
    // What cannot be put in place now is with the next change.
    this.arrangeAgain().catch(() => undefined);
  }

  private readonly arrangeAgain = createRefresher(async () => {
    if (this.plan !== null) await this.arrange(this.plan.session, this.plan.panes);
  });

  version(): Promise<string | null> {
    return this.server.exec(["-V"]).then(
      ({ out }) => out.trim().replace(/^tmux /, ""),
      () => null,
    );
  }

  async look(session: string): Promise<TmuxSession | null> {
    // Attaching would start a server where there is none, and several at once would end each other's.
    if (!this.server.connected(session) && !(await this.server.exists(session))) return null;
    try {
      const [owner = ""] = await this.read(session, ["show-options", "-qv", "-t", `=${session}:`, "@banksman_owner"]);
      const lines = await this.read(session, ["list-panes", "-s", "-t", `=${session}:`, "-F", PANE_FORMAT]);
      const shown = paneLines(lines);
      const panes = shown.map(readPane).filter((pane) => pane !== null);
      // tmux 3.3 can miss that a child has ended (1 in 4 under load, measured); the end of another one wakes it up.
      if (shown.some(isEnding)) await this.read(session, ["run-shell", "-b", "true"]);
      return { owner: owner === "" ? null : owner, panes };
    } catch (error) {
      if (await this.server.exists(session)) throw asFailed(error);
      return null;
    }
  }

  open(order: PaneOrder): Promise<PaneId> {
    return this.inTurn(async () => {
      const found = await this.look(order.session);
      if (found !== null && found.owner !== order.owner)
        throw new Failed({ kind: "tmux.namesake", session: order.session });
      const own = found?.panes.find((pane) =>
        order.role === "agent" ? pane.agent === order.agent : pane.role === order.role,
      );
      if (own !== undefined && order.keep && !own.dead) return own.id;
      const terminal = found === null ? "screen-256color" : await this.terminal(order.session);
      const command = () => ["env", "-i", "/bin/sh", writeLaunchFile(this.place.folder, order, terminal)];
      try {
        const id = await this.launch(order, command, found, own);
        await this.dress(id, order);
        return id;
      } finally {
        letGo(this.place.folder, order.run);
      }
    }).catch((error: unknown) => {
      throw asFailed(error);
    });
  }

  private async launch(
    order: PaneOrder,
    command: () => readonly string[],
    found: TmuxSession | null,
    own: Pane | undefined,
  ): Promise<PaneId> {
    if (found === null) return this.create(order, command);
    const words = command().map(tmuxWord).join(" ");
    if (own !== undefined) {
      await this.server.run(order.session, `respawn-pane -k -t ${own.id} ${words}`);
      return own.id;
    }
    const last = found.panes.at(-1) as Pane;
    const [id] = await withRoom(
      this.server,
      order.session,
      last.window,
      `split-window -d -P -F '#{pane_id}' -t ${last.id} ${words}`,
    );
    return id as PaneId;
  }

  /** By a process of its own: there is nothing to connect to yet. Everything in one command line, so that all of it is there. */
  private async create(order: PaneOrder, command: () => readonly string[]): Promise<PaneId> {
    const session = order.session;
    const { width, height } = unseenSize([]);
    const options = [
      ["set-option", "-t", `=${session}:`, "@banksman_owner", order.owner],
      ...(order.mouse ? [["set-option", "-t", `=${session}:`, "mouse", "on"]] : []),
      ...windowOptions(`=${session}:`, order.borders),
    ];
    const { out } = await this.server
      .whenServerIsUp(() => [
        "new-session",
        ...["-d", "-P", "-F", "#{pane_id}", "-s", session, "-n", windowName(0)],
        ...["-x", String(width), "-y", String(height)],
        ...command(),
        ...options.flatMap((option) => [";", ...option]),
      ])
      .catch((error: unknown) => {
        throw asFailed(error);
      });
    return (out.trim().split("\n")[0] ?? "") as PaneId;
  }

  private async dress(id: PaneId, { session, role, agent, run, log }: PaneOrder): Promise<void> {
    await this.server.run(
      session,
      [
        `set-option -p -t ${id} @banksman_role ${role}`,
        `set-option -p -t ${id} @banksman_run ${tmuxWord(run)}`,
        `set-option -p -t ${id} @banksman_mark ''`,
        `set-option -p -F -t ${id} @banksman_pid '#{pane_pid}'`,
        ...(agent === null ? [] : [`set-option -p -t ${id} @banksman_agent ${tmuxWord(agent)}`]),
      ].join(" ; "),
    );
    if (log !== null) await this.log(id, log);
  }

  async log(pane: PaneId, path: string): Promise<void> {
    mkdirSync(dirname(path), { recursive: true });
    const pipe = `umask 077; exec cat >> ${shellWord(path)}`;
    const word = tmuxWord(tmuxFormat(pipe).replaceAll("%", "%%"));
    await this.inPane<unknown>(pane, null, (session) => this.server.run(session, `pipe-pane -t ${pane} ${word}`));
  }

  arrange(session: string, plan: readonly PanePlan[]): Promise<void> {
    this.plan = { session, panes: plan };
    return this.inTurn(() => arrangePanes(this, session, plan)).catch((error: unknown) => {
      // The session may have gone meanwhile: then there is nothing to arrange.
      if (!(error instanceof Lost)) throw asFailed(error);
    });
  }

  async paste(pane: PaneId, run: RunId, text: string, mark: string): Promise<boolean> {
    const { path, buffer } = exchangeFile(this.place.folder);
    writeFileSync(path, typeable(text), { mode: 0o600 });
    try {
      return await this.inPane(pane, false, async (session) => {
        await this.server.run(session, `load-buffer -b ${buffer} ${tmuxWord(path)}`);
        const commands = `paste-buffer -p -r -d -b ${buffer} -t ${pane} ; set-option -p -t ${pane} @banksman_mark ${tmuxWord(mark)}`;
        const typed = await this.guarded(session, pane, run, commands);
        if (!typed) await this.server.run(session, `delete-buffer -b ${buffer}`);
        return typed;
      });
    } finally {
      rmSync(path, { force: true });
    }
  }

  press(pane: PaneId, run: RunId, key: string): Promise<boolean> {
    return this.inPane(pane, false, (session) =>
      this.guarded(session, pane, run, `send-keys -t ${pane} ${tmuxWord(key)}`),
    );
  }

  mark(pane: PaneId, run: RunId, mark: string): Promise<boolean> {
    return this.inPane(pane, false, (session) =>
      this.guarded(session, pane, run, `set-option -p -t ${pane} @banksman_mark ${tmuxWord(mark)}`),
    );
  }

  pane(pane: PaneId): Promise<Pane | null> {
    return this.inPane<Pane | null>(pane, null, async (session) => {
      const lines = await this.read(session, ["display-message", "-p", "-t", pane, PANE_FORMAT]);
      const found = readPane(paneLines(lines)[0] ?? "");
      return found?.id === pane ? found : null;
    });
  }

  /** The server itself looks and types, with nothing in between: the pane that was looked at is the one that hears it. */
  private async guarded(session: string, pane: PaneId, run: RunId, commands: string): Promise<boolean> {
    const ours = `#{&&:#{==:#{@banksman_run},${run}},#{==:#{@banksman_pid},#{pane_pid}}}`;
    const right = `#{&&:${ours},#{&&:#{==:#{pane_dead},0},#{==:#{pane_in_mode},0}}}`;
    const typing = tmuxWord(`${commands} ; display-message -p typed`);
    const said = await this.server.run(session, `if-shell -F -t ${pane} ${tmuxWord(right)} ${typing}`);
    return said.at(-1) === "typed";
  }

  capture(pane: PaneId, { history = 0, colours = false } = {}): Promise<string | null> {
    const options = ["-J", ...(colours ? ["-e"] : []), "-S", `-${history}`, "-t", pane];
    return this.inPane<string | null>(pane, null, async (session) => {
      if (this.place.lasting)
        return captureTo(this.place.folder, (line) => this.server.run(session, line), options.join(" "));
      const { out } = await this.server.exec(["capture-pane", "-p", ...options]);
      return out.replace(/\n$/, "");
    });
  }

  /**
   * What a command prints. tmux 3.3a was seen to crash when two clients of its control mode left at the same time (9 of
   * 90 servers with 40 clients each), so only the supervisor has one.
   */
  private async read(session: string, args: readonly string[]): Promise<string[]> {
    if (this.place.lasting) return this.server.run(session, args.map(tmuxWord).join(" "));
    const { out } = await this.server.exec(args);
    return out.replace(/\n$/, "").split("\n");
  }

  /** What is done with one pane; `gone` when there is no such pane any more. */
  private async inPane<T>(pane: PaneId, gone: T, work: (session: string) => Promise<T>): Promise<T> {
    const session = await this.sessionOf(pane);
    if (session === null) return gone;
    try {
      return await work(session);
    } catch (error) {
      if (error instanceof Refused || (error instanceof Lost && !(await this.server.exists(session)))) return gone;
      throw asFailed(error);
    }
  }

  close(pane: PaneId): Promise<void> {
    return this.inTurn(async () => {
      await this.inPane<unknown>(pane, null, (session) => this.server.run(session, `kill-pane -t ${pane}`));
    });
  }

  async leave(): Promise<void> {
    this.server.leave();
  }

  private async sessionOf(pane: PaneId): Promise<string | null> {
    if (this.server.session !== null) return this.server.session;
    const { out } = await this.server.exec(["display-message", "-p", "-t", pane, "#{session_name}"]).catch(() => ({
      out: "",
    }));
    return out.trim() === "" ? null : out.trim();
  }

  private async terminal(session: string): Promise<string> {
    const [name] = await this.server.run(session, "show-options -gv default-terminal");
    return name ?? "screen-256color";
  }
}

function asFailed(error: unknown): unknown {
  if (error instanceof Failed) return error;
  return new Failed({ kind: "tmux.failed", detail: error instanceof Error ? error.message : String(error) });
}

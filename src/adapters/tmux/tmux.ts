import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failed } from "../../core/failure.ts";
import type { RunId } from "../../core/ids.ts";
import { layoutString, type PanePlan } from "../../core/layout.ts";
import { shellWord, tmuxFormat, tmuxWord } from "../../core/quote.ts";
import type { Pane, PaneId, PaneOrder, Tmux, TmuxSession } from "../../ports/tmux.ts";
import { Control, Lost, Refused } from "./control.ts";
import { letGo, writeLaunchFile } from "./launch-file.ts";
import { isEnding, PANE_FORMAT, readPane } from "./read-panes.ts";

/** What a session nobody is attached to is drawn at: room to split for 25 agents. */
const UNSEEN = { width: 480, height: 140 };
const TIMEOUT_MS = 10_000;
const START_TRIES = 6;

export interface TmuxPlace {
  /** A server of our own (`BANKSMAN_TMUX_SOCKET`: a path or a name); null is the user's. */
  readonly socket: string | null;
  /** Ours alone: launch files and texts on their way into a pane. */
  readonly folder: string;
}

export function createTmux(env: NodeJS.ProcessEnv, place: TmuxPlace): Tmux {
  return new RealTmux(env, place);
}

class RealTmux implements Tmux {
  private readonly argv: readonly string[];
  private control: { readonly session: string; readonly line: Control } | null = null;
  private turn: Promise<unknown> = Promise.resolve();
  private texts = 0;

  constructor(
    private readonly env: NodeJS.ProcessEnv,
    private readonly place: TmuxPlace,
  ) {
    const { socket } = place;
    // -u: names and screens are UTF-8 whatever the locale says.
    this.argv = ["tmux", "-u", ...(socket === null ? [] : [socket.includes("/") ? "-S" : "-L", socket])];
  }

  version(): Promise<string | null> {
    return this.exec(["-V"]).then(
      ({ out }) => out.trim().replace(/^tmux /, ""),
      () => null,
    );
  }

  async look(session: string): Promise<TmuxSession | null> {
    // Attaching would start a server where there is none, and several at once would end each other's.
    if (!this.connected(session) && !(await this.exists(session))) return null;
    try {
      const [owner = ""] = await this.run(session, `show-options -qv -t ${exact(session)} @banksman_owner`);
      const lines = await this.run(session, `list-panes -s -t ${exact(session)} -F ${tmuxWord(PANE_FORMAT)}`);
      const panes = lines.map(readPane).filter((pane) => pane !== null);
      // tmux 3.3 can miss that a child has ended (1 in 4 under load, measured); the end of another one wakes it up.
      if (lines.some(isEnding)) await this.run(session, "run-shell -b true");
      return { owner: owner === "" ? null : owner, panes };
    } catch (error) {
      if (await this.exists(session)) throw asFailed(error);
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
      const file = writeLaunchFile(this.place.folder, order, terminal);
      try {
        const id = await this.launch(order, ["env", "-i", "/bin/sh", file], found, own);
        await this.dress(id, order);
        return id;
      } finally {
        letGo(file);
      }
    }).catch((error: unknown) => {
      throw asFailed(error);
    });
  }

  private async launch(
    order: PaneOrder,
    command: readonly string[],
    found: TmuxSession | null,
    own: Pane | undefined,
  ): Promise<PaneId> {
    if (found === null) return this.create(order, command);
    const words = command.map(tmuxWord).join(" ");
    if (own !== undefined) {
      await this.run(order.session, `respawn-pane -k -t ${own.id} ${words}`);
      return own.id;
    }
    const last = found.panes.at(-1) as Pane;
    const [id] = await this.withRoom(
      order.session,
      last.window,
      `split-window -d -P -F '#{pane_id}' -t ${last.id} ${words}`,
    );
    return id as PaneId;
  }

  /** A command that needs room for one more pane; where there is none, room is made first. */
  private async withRoom(session: string, window: string, line: string): Promise<string[]> {
    try {
      return await this.run(session, line);
    } catch (error) {
      if (!(error instanceof Refused) || !/no space|too small/.test(error.message)) throw error;
      await this.run(session, `resize-window -x ${UNSEEN.width} -y ${UNSEEN.height} -t ${window}`);
      await this.run(session, `select-layout -t ${window} tiled`);
      return this.run(session, line);
    }
  }

  /** By a process of its own: there is nothing to connect to yet. Everything in one command line, so that all of it is there. */
  private async create(order: PaneOrder, command: readonly string[]): Promise<PaneId> {
    const session = order.session;
    const options = [
      ["set-option", "-t", `=${session}:`, "@banksman_owner", order.owner],
      ...(order.mouse ? [["set-option", "-t", `=${session}:`, "mouse", "on"]] : []),
      ...windowOptions(`=${session}:`, order.borders),
    ];
    const { out } = await this.whenServerIsUp([
      "new-session",
      ...["-d", "-P", "-F", "#{pane_id}", "-s", session],
      ...["-x", String(UNSEEN.width), "-y", String(UNSEEN.height)],
      ...command,
      ...options.flatMap((option) => [";", ...option]),
    ]).catch((error: unknown) => {
      throw asFailed(error);
    });
    return (out.trim().split("\n")[0] ?? "") as PaneId;
  }

  /** A server on its way out still has its socket for a moment; the next one takes it over. */
  private async whenServerIsUp(args: readonly string[]): Promise<{ out: string }> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.exec(args);
      } catch (error) {
        const leaving = error instanceof Refused && /server exited|lost server|no server running/.test(error.message);
        if (!leaving || attempt === START_TRIES) throw error;
        await sleep(100 * attempt);
      }
    }
  }

  private async dress(id: PaneId, { session, role, agent, run, log }: PaneOrder): Promise<void> {
    await this.run(
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
    await this.inPane<unknown>(pane, null, (session) => this.run(session, `pipe-pane -t ${pane} ${word}`));
  }

  arrange(session: string, plan: readonly PanePlan[]): Promise<void> {
    return this.inTurn(async () => {
      const found = await this.look(session);
      if (found === null || plan.length === 0) return;
      for (const window of new Set(plan.map((each) => each.window)))
        await this.arrangeWindow(
          session,
          plan.filter((each) => each.window === window),
          found.panes,
        );
    }).catch((error: unknown) => {
      // The session may have gone meanwhile: then there is nothing to arrange.
      if (!(error instanceof Lost)) throw asFailed(error);
    });
  }

  private async arrangeWindow(session: string, plan: readonly PanePlan[], panes: readonly Pane[]): Promise<void> {
    const placed = plan.flatMap((spot) => {
      const pane = panes.find((each) => (spot.agent === null ? each.role === spot.role : each.agent === spot.agent));
      return pane === undefined ? [] : [{ spot, pane }];
    });
    const [first] = placed;
    if (first === undefined) return;
    const window = await this.gather(
      session,
      first.spot.window,
      placed.map(({ pane }) => pane),
      panes,
    );
    const titles = placed.map(
      ({ spot, pane }) =>
        `set-option -p -t ${pane.id} @banksman_title ${tmuxWord(spot.title)} ; select-pane -t ${pane.id} -T ${tmuxWord(tmuxFormat(spot.title))}`,
    );
    await this.run(session, titles.join(" ; "));
    const [size = ""] = await this.run(session, `display-message -p -t ${window} '#{window_width} #{window_height}'`);
    const [width = UNSEEN.width, height = UNSEEN.height] = size.split(" ").map(Number);
    const strangers = (await this.look(session))?.panes.filter(
      (each) => each.window === window && !placed.some(({ pane }) => pane.id === each.id),
    );
    if (strangers !== undefined && strangers.length > 0) return;
    await this.run(
      session,
      `select-layout -t ${window} ${tmuxWord(
        layoutString(
          placed.map(({ spot }) => spot),
          { width, height },
        ),
      )} ; set-option -uw -t ${window} window-size`,
    );
  }

  /** All panes of one planned window in one window of tmux, in the plan's order. Answers with that window. */
  private async gather(
    session: string,
    planned: number,
    wanted: readonly Pane[],
    all: readonly Pane[],
  ): Promise<string> {
    const windows = [...new Set(all.map(({ window }) => window))];
    let window = windows[planned];
    if (window === undefined) {
      const [first] = wanted as [Pane];
      const [made = ""] = await this.run(session, `break-pane -d -P -F '#{window_id}' -s ${first.id}`);
      window = made;
      for (const option of windowOptions(window, true)) await this.run(session, option.map(tmuxWord).join(" "));
    }
    const here = async () => ((await this.look(session))?.panes ?? []).filter((each) => each.window === window);
    let inside = await here();
    for (const { id } of wanted) {
      const last = inside.at(-1);
      if (last === undefined || inside.some((each) => each.id === id)) continue;
      await this.withRoom(session, window, `join-pane -d -s ${id} -t ${last.id}`);
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
    if (swaps.length > 0) await this.run(session, swaps.join(" ; "));
    return window;
  }

  async paste(pane: PaneId, run: RunId, text: string, mark: string): Promise<boolean> {
    const buffer = `banksman-${process.pid}-${++this.texts}`;
    const file = join(this.place.folder, `${buffer}.txt`);
    mkdirSync(this.place.folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: 0o600 });
    try {
      return await this.inPane(pane, false, async (session) => {
        await this.run(session, `load-buffer -b ${buffer} ${tmuxWord(file)}`);
        const commands = `paste-buffer -p -r -d -b ${buffer} -t ${pane} ; set-option -p -t ${pane} @banksman_mark ${tmuxWord(mark)}`;
        const typed = await this.guarded(session, pane, run, commands);
        if (!typed) await this.run(session, `delete-buffer -b ${buffer}`);
        return typed;
      });
    } finally {
      rmSync(file, { force: true });
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
      const [line = ""] = await this.run(session, `display-message -p -t ${pane} ${tmuxWord(PANE_FORMAT)}`);
      const found = readPane(line);
      return found?.id === pane ? found : null;
    });
  }

  /** The server itself looks and types, with nothing in between: the pane that was looked at is the one that hears it. */
  private async guarded(session: string, pane: PaneId, run: RunId, commands: string): Promise<boolean> {
    const ours = `#{&&:#{==:#{@banksman_run},${run}},#{==:#{@banksman_pid},#{pane_pid}}}`;
    const right = `#{&&:${ours},#{&&:#{==:#{pane_dead},0},#{==:#{pane_in_mode},0}}}`;
    const typing = tmuxWord(`${commands} ; display-message -p typed`);
    const said = await this.run(session, `if-shell -F -t ${pane} ${tmuxWord(right)} ${typing}`);
    return said.at(-1) === "typed";
  }

  capture(pane: PaneId, history = 0): Promise<string | null> {
    return this.inPane<string | null>(pane, null, async (session) =>
      (await this.run(session, `capture-pane -p -J -S -${history} -t ${pane}`)).join("\n"),
    );
  }

  /** What is done with one pane; `gone` when there is no such pane any more. */
  private async inPane<T>(pane: PaneId, gone: T, work: (session: string) => Promise<T>): Promise<T> {
    const session = await this.sessionOf(pane);
    if (session === null) return gone;
    try {
      return await work(session);
    } catch (error) {
      if (error instanceof Refused || (error instanceof Lost && !(await this.exists(session)))) return gone;
      throw asFailed(error);
    }
  }

  close(pane: PaneId): Promise<void> {
    return this.inTurn(async () => {
      await this.inPane<unknown>(pane, null, (session) => this.run(session, `kill-pane -t ${pane}`));
    });
  }

  async leave(): Promise<void> {
    this.control?.line.close();
    this.control = null;
  }

  private async sessionOf(pane: PaneId): Promise<string | null> {
    if (this.control?.line.open) return this.control.session;
    const { out } = await this.exec(["display-message", "-p", "-t", pane, "#{session_name}"]).catch(() => ({
      out: "",
    }));
    return out.trim() === "" ? null : out.trim();
  }

  private async terminal(session: string): Promise<string> {
    const [name] = await this.run(session, "show-options -gv default-terminal");
    return name ?? "screen-256color";
  }

  private async exists(session: string): Promise<boolean> {
    return this.exec(["has-session", "-t", `=${session}`]).then(
      () => true,
      () => false,
    );
  }

  /** Over the one connection; opened anew when it was lost, once. */
  private async run(session: string, line: string): Promise<string[]> {
    if (!this.connected(session) || this.control === null) {
      this.control?.line.close();
      const attach = ["-C", "attach-session", "-t", `=${session}`, "-f", "ignore-size,no-output"];
      this.control = { session, line: new Control([...this.argv, ...attach], this.env) };
    }
    return this.control.line.run(line);
  }

  private connected = (session: string): boolean => this.control?.session === session && this.control.line.open;

  private exec(args: readonly string[]): Promise<{ out: string }> {
    const [program = "tmux", ...before] = this.argv;
    return new Promise((done, fail) => {
      execFile(program, [...before, ...args], { env: this.env, timeout: TIMEOUT_MS }, (error, out, err) => {
        if (error === null) done({ out });
        else if ((error as NodeJS.ErrnoException).code === "ENOENT") fail(new Failed({ kind: "tmux.missing" }));
        else fail(new Refused(err.trim() || error.message));
      });
    });
  }

  /** What changes the set of panes happens one at a time. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(work);
    this.turn = mine.catch(() => undefined);
    return mine;
  }
}

const exact = (session: string): string => tmuxWord(`=${session}:`);

const windowOptions = (target: string, borders: boolean): string[][] => [
  ["set-option", "-w", "-t", target, "remain-on-exit", "on"],
  ["set-option", "-w", "-t", target, "automatic-rename", "off"],
  ...(borders
    ? [
        ["set-option", "-w", "-t", target, "pane-border-status", "top"],
        ["set-option", "-w", "-t", target, "pane-border-format", " #{@banksman_title} "],
      ]
    : []),
];

function asFailed(error: unknown): unknown {
  if (error instanceof Failed) return error;
  return new Failed({ kind: "tmux.failed", detail: error instanceof Error ? error.message : String(error) });
}

import { pause } from "../../async/pause.ts";
import { type Delivery, isShownOn, nextKey, pastedMark, submittedMark } from "../../core/agents/delivery.ts";
import { type NeedsPerson, needsPersonAtShell, needsPersonOn } from "../../core/agents/needs-person.ts";
import type { HookWord } from "../../core/clis/hook-word.ts";
import { Failed } from "../../core/failure/failed.ts";
import { lastWords } from "../../core/screens/last-words.ts";
import { isDescribed, readScreen } from "../../core/screens/read-screen.ts";
import { isListening, type Screen } from "../../core/screens/screen.ts";
import type { Timers } from "../../core/session/timers.ts";
import type { AgentId, Instant, RunId } from "../../core/text/ids.ts";
import { below } from "../../core/text/paths.ts";
import { stripEscapes } from "../../core/text/strip-escapes.ts";
import type { LiveAgent } from "../../ports/agent-cli.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Pane, PaneId } from "../../ports/tmux.ts";

const LOOK_MS = 100;
/** How long a list may take to show that another of its choices is marked. */
const MOVE_MS = 2_000;
const MOST_KEYS = 8;
/** A pane's program gets a hang-up when its pane closes, and this long to follow it. */
const HANG_UP_MS = 500;

export interface PaneOf {
  readonly agent: AgentId;
  readonly run: RunId;
  /** Whose screen it is. */
  readonly cli: string;
  readonly worktree: string;
  readonly log: string;
}

interface Watched {
  readonly listens: boolean;
  readonly needsPerson: string | null;
  readonly at: PaneAgent["at"];
}

export interface PaneNeeds extends Pick<Ports, "tmux" | "clock" | "agents"> {
  readonly timers: Pick<Timers, "betweenPastes" | "bareShell" | "askedAgain">;
}

/** An agent in a pane of tmux. It is spoken to by typing, and what it is at is read from its screen. */
export class PaneAgent implements LiveAgent {
  readonly outlives = true;
  /** At its prompt it may be told something at any time: it is never let go by itself. */
  readonly resting = false;
  pid = 0;
  screen: Screen = { state: "unknown", box: null, prompt: null, evidence: "" };
  /** What two looks in a row have agreed on: a program that draws everything anew shows nonsense in between. */
  sure: Screen | null = null;
  /** The request last seen on its screen by the watcher. */
  announced: string | null = null;
  /** What its CLI's hooks last said it is at; null for one without hooks. */
  private hooked: HookWord["state"] | null = null;
  private submittedAt: Instant | null = null;
  conversation: string | null = null;
  /** How the watcher saw it last. */
  watched: Watched = { listens: false, needsPerson: null, at: null };
  /** Up to where its log has been looked after. */
  logged = 0;
  private text = "";
  private steady = false;
  private busy = false;
  /** When it was last told something by typing; its brief does not count. */
  private pastedAt: Instant | null = null;
  private bareSince: Instant | null = null;
  /** A bare shell where its program should be. */
  private alone: NeedsPerson | null = null;
  private looked = false;
  private answered: { readonly request: string; readonly at: Instant } | null = null;
  private readonly times = new Map<string, number>();

  constructor(
    private readonly context: PaneNeeds,
    readonly pane: PaneId,
    readonly of: PaneOf,
  ) {}

  /** Set while it waits for a person at its pane. */
  get needsPerson(): NeedsPerson | null {
    return (this.sure === null ? null : needsPersonOn(this.of.cli, this.sure)) ?? this.alone;
  }

  /** Something is being typed into it at this moment. */
  get isTypedTo(): boolean {
    return this.busy;
  }

  get listens(): boolean {
    // However much comes for it: one paste, and the rest together a while later.
    if (this.pastedAt !== null && this.context.clock.now() - this.pastedAt < this.context.timers.betweenPastes)
      return false;
    const still = !isDescribed(this.of.cli) && this.screen.state === "unknown" && this.steady;
    // Gemini was seen to show its box before it could tell a paste from keys: it is given another look's time.
    const sure = this.sure !== null && isListening(this.sure) && isListening(this.screen);
    return !this.busy && (sure || still);
  }

  /** Takes in what the pane shows, with its colours; true when its text has changed. */
  see(pane: Pane, drawn: string): boolean {
    this.pid = pane.pid;
    const text = stripEscapes(drawn);
    const changed = text !== this.text;
    this.steady = !changed;
    this.text = text;
    // In copy mode the screen shows the past, and keys would be commands.
    if (pane.inMode) this.screen = { state: "waiting", box: null, prompt: null, evidence: "a person scrolls in it" };
    else {
      const before = this.screen;
      this.screen = this.toldApart(readScreen(this.of.cli, drawn));
      if (this.looked && shownOn(before) === shownOn(this.screen)) this.sure = this.screen;
      this.looked = true;
      this.alone = this.leftAlone(pane);
    }
    return changed;
  }

  /** Both signs of it, for a while: a line that ends like a shell's prompt may be anything. */
  private leftAlone({ bare, mark }: Pane): NeedsPerson | null {
    const now = this.context.clock.now();
    this.bareSince = bare && this.screen.state === "shell" ? (this.bareSince ?? now) : null;
    return this.bareSince !== null && now - this.bareSince >= this.context.timers.bareShell
      ? needsPersonAtShell(this.of.cli, mark === "")
      : null;
  }

  hear({ state, submitted }: HookWord, at: Instant): void {
    this.hooked = state;
    if (submitted) this.submittedAt = at;
  }

  /** What it is at: by its CLI's own word where it has hooks, else by its screen; null where neither says. */
  get at(): HookWord["state"] | null {
    if (this.hooked !== null) return this.hooked;
    const { state } = this.screen;
    if (state === "working" || state === "waiting") return state;
    return isListening(this.screen) ? "ready" : null;
  }

  /** The same question asked twice in a row, with nothing between that we saw, is two questions. */
  private toldApart(screen: Screen): Screen {
    const { prompt } = screen;
    if (prompt === null || prompt.request !== this.answered?.request) this.answered = null;
    if (prompt === null) return screen;
    if (this.answered !== null && this.context.clock.now() - this.answered.at >= this.context.timers.askedAgain) {
      this.times.set(prompt.request, (this.times.get(prompt.request) ?? 0) + 1);
      this.answered = null;
    }
    const times = this.times.get(prompt.request) ?? 0;
    return times === 0 ? screen : { ...screen, prompt: { ...prompt, request: `${prompt.request}.${times}` } };
  }

  /** Its last word. */
  get lastLine(): string {
    return lastWords(this.text);
  }

  /** One key after the other, each after a look: whose pane it is, where it stands, what it shows. */
  async tell(text: string, tag: string): Promise<Delivery> {
    this.busy = true;
    try {
      const typed = await this.type(text, tag);
      if (typed === "submitted" && !tag.startsWith("brief-")) this.pastedAt = this.context.clock.now();
      return typed;
    } finally {
      this.busy = false;
    }
  }

  private async type(text: string, tag: string): Promise<Delivery> {
    const { tmux, clock } = this.context;
    let enters = 0;
    let lastKey = clock.now();
    let pasted = false;
    for (;;) {
      const pane = await this.look();
      if (pane === null) return "waits";
      const resumed = !pasted;
      const sinceKeyMs = resumed ? Number.MAX_SAFE_INTEGER : clock.now() - lastKey;
      const { screen } = this;
      const steady = isDescribed(this.of.cli) ? null : this.steady;
      const confirmed = this.submittedAt !== null && this.submittedAt >= lastKey;
      const shown = steady !== null && isShownOn(this.text, text);
      const key = nextKey({
        tag,
        text,
        mark: pane.mark,
        screen,
        steady,
        shown,
        resumed,
        enters,
        sinceKeyMs,
        confirmed,
      });
      if (key === "lost") {
        await tmux.mark(this.pane, this.of.run, "");
        return "waits";
      }
      if (key === "submitted") await tmux.mark(this.pane, this.of.run, submittedMark(tag));
      if (key === "submitted" || key === "stuck" || key === "waits") return key;
      if (key === "wait") await pause(clock, LOOK_MS);
      else if (key === "paste") {
        if (!(await tmux.paste(this.pane, this.of.run, text, pastedMark(tag)))) return "waits";
        pasted = true;
        lastKey = clock.now();
      } else {
        if (!(await tmux.press(this.pane, this.of.run, "Enter"))) return "waits";
        pasted = true;
        enters++;
        lastKey = clock.now();
      }
    }
  }

  /** The pane as it is now, if it is this run's, alive, and where the run works; null when nothing may be typed. */
  private async look(): Promise<Pane | null> {
    const { tmux } = this.context;
    const pane = await tmux.pane(this.pane);
    if (pane === null || pane.run !== this.of.run || pane.dead || pane.inMode || pane.bare) return null;
    if (!below(pane.path, this.of.worktree)) return null;
    const text = await tmux.capture(this.pane, { colours: true });
    if (text === null) return null;
    this.see(pane, text);
    return pane;
  }

  /** One key, then another look, then the next key: each only while the very same question stands there. */
  async answer(request: string, allow: boolean): Promise<void> {
    const { tmux, clock } = this.context;
    let before: string | null = null;
    for (let since = clock.now(), keys = 0; keys < MOST_KEYS && clock.now() - since < MOVE_MS; ) {
      const prompt = (await this.look()) === null ? null : this.screen.prompt;
      const way = prompt?.request === request ? (allow ? prompt.allow : prompt.deny) : null;
      if (way === null) break;
      // What was pressed has not moved anything yet.
      if (way === before) {
        await pause(clock, LOOK_MS);
        continue;
      }
      const [key = "", ...more] = way.split(" ");
      if (!(await tmux.press(this.pane, this.of.run, key))) break;
      if (more.length === 0) {
        // Refused, a CLI may stop at its prompt without a word through its hooks: from here on its screen counts.
        if (!allow) this.hooked = null;
        this.answered = { request: request.replace(/\.\d+$/, ""), at: clock.now() };
        return;
      }
      before = way;
      since = clock.now();
      keys++;
    }
    throw new Failed({ kind: "agent.not-running", agent: this.of.agent });
  }

  dismiss(): Promise<void> {
    return this.end();
  }

  async end(): Promise<void> {
    const { tmux, agents, clock } = this.context;
    await tmux.close(this.pane);
    await pause(clock, HANG_UP_MS);
    await agents.endLeftovers(this.of.run);
  }
}

const shownOn = ({ state, prompt }: Screen): string => `${state} ${prompt?.request ?? ""}`;

import { type Delivery, nextKey, pastedMark, submittedMark } from "../core/delivery.ts";
import { Failed } from "../core/failure.ts";
import type { HookWord } from "../core/hook-word.ts";
import type { AgentId, Instant, RunId } from "../core/ids.ts";
import { below } from "../core/paths.ts";
import { readScreen, type Screen } from "../core/screen.ts";
import type { LiveAgent } from "../ports/agent-cli.ts";
import type { Pane, PaneId } from "../ports/tmux.ts";
import type { House } from "./house.ts";
import { pause } from "./pause.ts";

const LOOK_MS = 100;
/** A pane's program gets a hang-up when its pane closes, and this long to follow it. */
const HANG_UP_MS = 500;

export interface PaneOf {
  readonly agent: AgentId;
  readonly run: RunId;
  readonly cli: string;
  readonly worktree: string;
  readonly log: string;
}

/** An agent in a pane of tmux. It is spoken to by typing, and what it is at is read from its screen. */
export class PaneAgent implements LiveAgent {
  readonly outlives = true;
  /** At its prompt it may be told something at any time: it is never let go by itself. */
  readonly resting = false;
  pid = 0;
  screen: Screen = { state: "unknown", box: null, prompt: null };
  /** The request last seen on its screen by the watcher. */
  announced: string | null = null;
  /** What its CLI's hooks last said, and when; null for one without hooks. */
  hooked: { readonly word: HookWord; readonly at: Instant } | null = null;
  conversation: string | null = null;
  /** Up to where its log has been looked after. */
  logged = 0;
  private text = "";
  private steady = false;
  private busy = false;

  constructor(
    private readonly house: Pick<House, "tmux" | "clock" | "agents">,
    readonly pane: PaneId,
    readonly of: PaneOf,
  ) {}

  get listens(): boolean {
    const { state, box } = this.screen;
    return !this.busy && ((state === "ready" && box === "") || (state === "unknown" && this.steady));
  }

  /** Takes in what the pane shows; true when that has changed. */
  see(pane: Pane, text: string): boolean {
    this.pid = pane.pid;
    const changed = text !== this.text;
    this.steady = !changed;
    this.text = text;
    // In copy mode the screen shows the past, and keys would be commands.
    this.screen = pane.inMode ? { state: "waiting", box: null, prompt: null } : readScreen(this.of.cli, text);
    return changed;
  }

  /** Its CLI's own word is worth more than what its screen looks like, where the screen says nothing. */
  hear(word: HookWord, at: Instant): void {
    this.hooked = { word, at };
  }

  /** Its last word; tmux's own about a dead pane is none. */
  get lastLine(): string {
    const lines = this.text.split("\n").filter((line) => !line.startsWith("Pane is dead"));
    return lines.findLast((line) => line.trim() !== "") ?? "";
  }

  /** One key after the other, each after a look: whose pane it is, where it stands, what it shows. */
  async tell(text: string, tag: string): Promise<Delivery> {
    this.busy = true;
    try {
      return await this.type(text, tag);
    } finally {
      this.busy = false;
    }
  }

  private async type(text: string, tag: string): Promise<Delivery> {
    const { tmux, clock } = this.house;
    let enters = 0;
    let lastKey = clock.now();
    let pasted = false;
    for (;;) {
      const pane = await this.look();
      if (pane === null) return "waits";
      const resumed = !pasted;
      const sinceKeyMs = resumed ? Number.MAX_SAFE_INTEGER : clock.now() - lastKey;
      const { screen, steady } = this;
      const key = nextKey({ tag, mark: pane.mark, screen, steady, resumed, enters, sinceKeyMs });
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
    const { tmux } = this.house;
    const pane = await tmux.pane(this.pane);
    if (pane === null || pane.run !== this.of.run || pane.dead || pane.inMode) return null;
    if (!below(pane.path, this.of.worktree)) return null;
    const text = await tmux.capture(this.pane);
    if (text === null) return null;
    this.see(pane, text);
    return pane;
  }

  async answer(request: string, allow: boolean): Promise<void> {
    const pane = await this.look();
    const prompt = this.screen.prompt;
    if (pane === null || prompt === null || prompt.request !== request)
      throw new Failed({ kind: "agent.not-running", agent: this.of.agent });
    await this.house.tmux.press(this.pane, this.of.run, allow ? prompt.allow : prompt.deny);
  }

  dismiss(): Promise<void> {
    return this.end();
  }

  async end(): Promise<void> {
    const { tmux, agents, clock } = this.house;
    await tmux.close(this.pane);
    await pause(clock, HANG_UP_MS);
    await agents.endLeftovers(this.of.run);
  }
}

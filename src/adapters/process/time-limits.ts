export interface TimeLimits {
  readonly idleSeconds: number | null;
  readonly workSeconds: number | null;
  /** Whether it waits for somebody now: that time is nobody's fault. */
  waits(): boolean;
  /** Whether what it is at may take long without a word. */
  mayBeSilent(): boolean;
  /** Called once, with the reason in words. */
  onOver(why: string): void;
}

const LOOK_MS = 250;

/**
 * Watches one agent's silence and its work. Both clocks stand still while it waits for an answer, or rests. They are
 * counted in looks, so that a machine that slept does not wake up to dead agents.
 */
export class TimeWatch {
  private silentMs = 0;
  private workedMs = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly limits: TimeLimits) {
    this.timer = setInterval(() => this.look(), LOOK_MS);
    this.timer.unref();
  }

  sign(): void {
    this.silentMs = 0;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const { idleSeconds, workSeconds, waits, mayBeSilent, onOver } = this.limits;
    if (waits()) {
      this.silentMs = 0;
      return;
    }
    this.silentMs = mayBeSilent() ? 0 : this.silentMs + LOOK_MS;
    this.workedMs += LOOK_MS;
    const idle = idleSeconds !== null && this.silentMs >= idleSeconds * 1000;
    const long = workSeconds !== null && this.workedMs >= workSeconds * 1000;
    if (!idle && !long) return;
    this.stop();
    onOver(idle ? `it gave no sign of life for ${idleSeconds} s` : `it was at work for ${workSeconds} s`);
  }
}

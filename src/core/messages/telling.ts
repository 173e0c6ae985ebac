import { type Cursor, hasReached } from "./cursors.ts";
import type { StoredMessage } from "./messages.ts";
import { wakes } from "./waking.ts";
import { sentence } from "./wording.ts";

const MOST_AT_ONCE = 50;
/** What an agent can be expected to read in the middle of its work; the rest follows. */
const MOST_CHARACTERS = 256 * 1024;

export interface Telling {
  readonly messages: readonly StoredMessage[];
  /** Up to here everything that wakes it has been told. */
  readonly told: number;
  /** Nothing that does not wake it waits below. */
  readonly nothingElse: boolean;
}

/** Gathers what to tell an agent of its unread messages, in order: those that wake it and that it has not been told. */
export class TellingPicker {
  private readonly messages: StoredMessage[] = [];
  private characters = 0;
  /** The first that does not wake it. */
  private other = Number.POSITIVE_INFINITY;
  private full = false;

  constructor(private readonly cursor: Cursor) {}

  /** False once nothing that follows would be told now. */
  add(unread: readonly StoredMessage[]): boolean {
    for (const stored of unread) {
      if (this.full) return false;
      this.look(stored);
    }
    return !this.full;
  }

  private look(stored: StoredMessage): void {
    const { seq, message } = stored;
    if (!wakes(message.type, this.cursor.agent)) this.other = Math.min(this.other, seq);
    else if (!hasReached(this.cursor, seq, message.type)) {
      this.messages.push(stored);
      this.characters += sentence(message).length;
      this.full = this.messages.length === MOST_AT_ONCE || this.characters >= MOST_CHARACTERS;
    }
  }

  telling(): Telling {
    const told = Math.max(this.cursor.told, this.messages.at(-1)?.seq ?? 0);
    return { messages: this.messages, told, nothingElse: this.other > told };
  }
}

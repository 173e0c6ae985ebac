import { TOKEN_PREFIX } from "../../src/core/text/token-words.ts";
import type { Tokens } from "../../src/ports/tokens.ts";

/** Tokens one can read in a failing test. */
export class FakeTokens implements Tokens {
  private made = 0;

  mint() {
    const token = `${TOKEN_PREFIX}${String(++this.made).padStart(32, "0")}`;
    return { token, digest: this.digest(token) };
  }

  digest(token: string): string {
    return `digest of ${token}`;
  }
}

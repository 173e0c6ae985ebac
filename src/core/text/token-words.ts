/** Every token begins so: whatever may be one is found in a text of any length without trying each place in it. */
export const TOKEN_PREFIX = "bm_";
/** The prefix, and 192 bits as base64url. */
export const TOKEN_LENGTH = TOKEN_PREFIX.length + 32;

const TOKEN = /^[A-Za-z0-9_-]+$/;
/** To ask costs a hash. A text with more that look like tokens and are none was made to cost: there all of them count. */
const MOST_ASKED = 200;

/** Where the tokens begin in a text. */
export function findTokens(text: string, isToken: (word: string) => boolean): number[] {
  const found: number[] = [];
  let asked = 0;
  for (let at = text.indexOf(TOKEN_PREFIX); at >= 0; ) {
    const word = text.slice(at, at + TOKEN_LENGTH);
    const is = word.length === TOKEN_LENGTH && TOKEN.test(word) && (asked++ >= MOST_ASKED || isToken(word));
    if (is) found.push(at);
    at = text.indexOf(TOKEN_PREFIX, at + (is ? TOKEN_LENGTH : TOKEN_PREFIX.length));
  }
  return found;
}

/** The text without them. */
export function blankTokens(text: string, isToken: (word: string) => boolean): string {
  const parts: string[] = [];
  let from = 0;
  for (const at of findTokens(text, isToken)) {
    parts.push(text.slice(from, at));
    from = at + TOKEN_LENGTH;
  }
  return from === 0 ? text : [...parts, text.slice(from)].join("[redacted]");
}

/** The same for every text in a value that came as JSON; names of fields are left as they are. */
export function blankTokensIn<T>(value: T, isToken: (word: string) => boolean): T {
  if (typeof value === "string") return blankTokens(value, isToken) as T;
  if (Array.isArray(value)) return value.map((each) => blankTokensIn<unknown>(each, isToken)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, blankTokensIn(each, isToken)])) as T;
}

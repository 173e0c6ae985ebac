import { hash, randomBytes } from "node:crypto";
import { TOKEN_PREFIX } from "../../core/text/token-words.ts";
import type { Tokens } from "../../ports/tokens.ts";

const digest = (token: string): string => hash("sha256", token, "hex");

/** 192 random bits, in letters that need no escaping in a URL, behind the prefix that lets them be found in texts. */
export const systemTokens: Tokens = {
  mint() {
    const token = `${TOKEN_PREFIX}${randomBytes(24).toString("base64url")}`;
    return { token, digest: digest(token) };
  },
  digest,
};

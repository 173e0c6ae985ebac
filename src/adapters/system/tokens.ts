import { hash, randomBytes } from "node:crypto";
import type { Tokens } from "../../ports/tokens.ts";

const digest = (token: string): string => hash("sha256", token, "hex");

/** 192 random bits, in letters that need no escaping in a URL. */
export const systemTokens: Tokens = {
  mint() {
    const token = randomBytes(24).toString("base64url");
    return { token, digest: digest(token) };
  },
  digest,
};

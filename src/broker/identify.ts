import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Identity } from "../core/messages/roles.ts";
import { OPERATOR } from "../core/text/ids.ts";
import type { Journal } from "../engine/journal/journal.ts";
import type { Tokens } from "../ports/tokens.ts";
import type { Connections } from "./connections.ts";
import { Refusal } from "./refusal.ts";

export interface Credentials {
  /** From the path `/a/<token>/…`: a capability URL, which never carries the operator's rights. */
  readonly path: string | null;
  readonly authorization: string | undefined;
}

/** Who asks; null without a token. A token that is not known is refused. Compared as digests, in constant time. */
export function createIdentify(journal: Journal, tokens: Tokens, operatorDigest: string) {
  const isOperator = (digest: string) =>
    digest.length === operatorDigest.length && timingSafeEqual(Buffer.from(digest), Buffer.from(operatorDigest));
  return ({ path, authorization }: Credentials): Identity | null => {
    const bearer = /^Bearer (\S+)$/.exec(authorization ?? "")?.[1] ?? null;
    if (path === null && authorization === undefined) return null;
    const token = path ?? bearer;
    if (token === null || token.length > 200) throw unknown();
    const digest = tokens.digest(token);
    if (path === null && isOperator(digest)) return { role: "operator", agent: OPERATOR };
    const known = journal.tokens.get(digest);
    if (known === undefined) throw unknown();
    return { role: known.role, agent: known.agent };
  };
}

/** The same for a request, whose connection is counted as its owner's from then on. */
export type Who = (request: IncomingMessage, token: string | null) => Identity | null;

export function createWho(identify: ReturnType<typeof createIdentify>, connections: Connections): Who {
  return (request, token) => {
    const identity = identify({ path: token, authorization: request.headers.authorization });
    if (identity !== null) connections.known(request.socket, identity);
    return identity;
  };
}

const unknown = () => new Refusal(401, "This token is not valid, or no longer: its run has ended.");

export function required(identity: Identity | null): Identity {
  if (identity === null)
    throw new Refusal(401, "A token is needed: use the URL in BANKSMAN_URL, or an Authorization header.");
  return identity;
}

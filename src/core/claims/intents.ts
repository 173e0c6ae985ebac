import type { AgentId, Instant } from "../text/ids.ts";
import { later, seconds } from "../text/instant.ts";
import type { Claim, IntentPayload } from "./claim.ts";
import { containersOf, covers, isGlob, normalPath, pathOf } from "./claim-paths.ts";

/** What an agent says it will touch, said before it touches it. A new one replaces the old. */
export interface Intent {
  readonly agent: AgentId;
  readonly claims: readonly Claim[];
  readonly summary: string;
  readonly expiresAt: Instant;
  readonly since?: Instant;
}

export function declared(agent: AgentId, payload: IntentPayload, at: Instant): Intent {
  const expiresAt = later(at, seconds(payload.valid_for_seconds));
  return { agent, claims: payload.files, summary: payload.summary, expiresAt, since: at };
}

/** What is left of an intent once some paths are no longer claimed; null when nothing is. `null` paths are all of them. */
export function without(intent: Intent, paths: readonly string[] | null): Intent | null {
  if (paths === null) return null;
  const gone = new Set(paths);
  const claims = intent.claims.filter((claim) => !gone.has(pathOf(claim)));
  return claims.length === 0 ? null : { ...intent, claims };
}

/** The claims a person means by some paths, as they were written: these, and those below them. `null` is all of them. */
export function claimedPaths({ claims }: Intent, paths: readonly string[] | null): string[] {
  if (paths === null) return claims.map(pathOf);
  const meant = new Set(paths.map(normalPath));
  const globs = [...meant].filter(isGlob);
  const isMeant = (path: string) =>
    containersOf(path).some((each) => meant.has(each)) || globs.some((glob) => covers(glob, path));
  return claims.map(pathOf).filter((path) => isMeant(normalPath(path)));
}

import { explain } from "../core/failure/explain.ts";
import type { Failure } from "../core/failure/failure.ts";

/** A request that is not granted: the status, and one sentence. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    message: string,
    readonly extra: Readonly<Record<string, unknown>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** What a failure of ours is on the wire. The disk's and the journal's are temporary: the client may come back. */
export function refusalFor(failure: Failure): Refusal {
  const { message, hint } = explain(failure);
  const extra = { kind: failure.kind, hint };
  if (failure.kind === "log.gone") return new Refusal(410, message, { ...extra, since: failure.kept });
  if (failure.kind === "store.full") return new Refusal(507, message, extra);
  if (failure.kind === "store.moved" || failure.kind === "store.broken")
    return new Refusal(503, message, extra, { "retry-after": "1" });
  if (failure.kind === "internal") return new Refusal(500, message, extra);
  if (failure.kind === "worktree.taken") return new Refusal(403, message, { ...extra, field: "worktree_path" });
  if (failure.kind === "worktree.foreign") return new Refusal(400, message, { ...extra, field: "worktree_path" });
  return new Refusal(failure.kind.endsWith(".unknown") ? 404 : 409, message, extra);
}

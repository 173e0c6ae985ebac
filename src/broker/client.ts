/** How to reach a broker: its base URL (a capability URL works as it is), and the operator's token if one has it. */
export interface Connection {
  readonly url: string;
  readonly token: string | null;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** What stands between us and the broker when it does not answer. */
export type Unreachable = "refused" | "silent" | "broken";

const SILENCE_MS = 10_000;

/** How long the server may stay silent, for calls that wait on purpose; and what ends the waiting earlier. */
export interface Patience {
  readonly ms?: number;
  readonly signal?: AbortSignal;
}

/**
 * One call, by node:http alone: the fast paths must not pay for more, and what calls nobody not even for that (4 ms of
 * `--version`). Resolves with whatever was answered; says why when nothing was.
 */
export function call(
  connection: Connection,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
  { ms: timeout = SILENCE_MS, signal }: Patience = {},
): Promise<Answer | Unreachable> {
  const payload = body === undefined ? null : Buffer.from(JSON.stringify(body));
  const headers = {
    ...(payload !== null && { "content-type": "application/json", "content-length": payload.length }),
    ...(connection.token !== null && { authorization: `Bearer ${connection.token}` }),
  };
  const { request } = process.getBuiltinModule("node:http");
  return new Promise((resolve) => {
    const sent = request(
      `${connection.url}${path}`,
      { method, headers, agent: false, timeout, ...(signal && { signal }) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", () => resolve("broken"));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, body: parse(Buffer.concat(chunks).toString("utf8")) }),
        );
      },
    );
    sent.on("timeout", () => {
      resolve("silent");
      sent.destroy();
    });
    sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code === "ECONNREFUSED" ? "refused" : "broken"));
    sent.end(payload ?? undefined);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { EngineContext } from "../engine/context.ts";
import { type LogView, viewLog } from "../engine/views/views.ts";
import { readNumber } from "./query.ts";
import { Refusal } from "./refusal.ts";

type Streaming = Pick<EngineContext, "journal" | "clock" | "store" | "processes" | "place" | "predictions">;

const MOST_STREAMS = 64;
/** Read from the journal at a time: what one stream holds in memory at most. */
const AT_ONCE = 32;
const KEEP_ALIVE_MS = 15_000;
/** A reader that takes nothing for so long is dropped; it can go on where it was by its last id. */
const PATIENCE_MS = 30_000;

/**
 * `GET /events`: the log as it grows, as server-sent events. An event's id is its seq, so a reader that comes back with
 * `Last-Event-ID` (browsers do) or `?since` misses nothing; without either it begins with what comes next. Messages are
 * read from the journal as fast as the reader takes them and never queued for it: a slow one costs a page of memory.
 */
export function createEventsRoute(context: Streaming) {
  let streams = 0;
  return async (request: IncomingMessage, response: ServerResponse, since: string | undefined): Promise<void> => {
    const from = startOf(context, request, since);
    if (streams >= MOST_STREAMS)
      throw new Refusal(503, `${MOST_STREAMS} readers follow already.`, {}, { "retry-after": "5" });
    streams++;
    try {
      await follow(context, response, from);
    } finally {
      streams--;
      response.destroy();
    }
  };
}

function startOf(
  { journal }: Pick<EngineContext, "journal">,
  request: IncomingMessage,
  since: string | undefined,
): number {
  const last = request.headers["last-event-id"];
  const [name, text] = last === undefined ? ["since", since] : ["Last-Event-ID", String(last)];
  const from = readNumber(text, name, journal.head, 0, Number.MAX_SAFE_INTEGER);
  if (from > journal.head)
    throw new Refusal(400, `${name} ${from} is beyond the newest message, ${journal.head}.`, { field: name });
  journal.requireKept(from);
  return from;
}

async function follow(context: Streaming, response: ServerResponse, from: number): Promise<void> {
  const news = createNews(context);
  const gone = new Promise<"gone">((resolve) => response.once("close", () => resolve("gone")));
  try {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    await send(context, response, "retry: 1000\n\n", gone);
    for (let sent = from; !response.destroyed; ) {
      const seen = news.count();
      const { entries } = await viewLog(context, sent, AT_ONCE);
      for (const entry of entries) {
        await send(context, response, frame(entry), gone);
        if (response.destroyed) return;
        sent = entry.seq;
      }
      if (entries.length === 0 && (await news.after(seen, gone)) === "quiet")
        await send(context, response, ": still here\n\n", gone);
    }
  } finally {
    news.stop();
  }
}

const frame = (entry: LogView["entries"][number]): string => `id: ${entry.seq}\ndata: ${JSON.stringify(entry)}\n\n`;

/** Resolves when there is room for more; a reader that makes none is dropped. */
async function send(
  { clock }: Pick<EngineContext, "clock">,
  response: ServerResponse,
  text: string,
  gone: Promise<unknown>,
): Promise<void> {
  if (response.write(text)) return;
  const cancel = clock.after(PATIENCE_MS, () => response.destroy());
  await Promise.race([new Promise((resolve) => response.once("drain", resolve)), gone]);
  cancel();
}

/** Counts commits, so that nothing falls between a look and the wait after it. */
function createNews({ journal, clock }: Pick<EngineContext, "journal" | "clock">) {
  let stored = 0;
  let wake = () => {};
  const stop = journal.onStored(() => {
    stored++;
    wake();
  });
  return {
    stop,
    count: () => stored,
    async after(seen: number, gone: Promise<"gone">): Promise<"news" | "quiet" | "gone"> {
      if (stored !== seen) return "news";
      let cancel = () => {};
      const changed = new Promise<"news">((resolve) => {
        wake = () => resolve("news");
      });
      const quiet = new Promise<"quiet">((resolve) => {
        cancel = clock.after(KEEP_ALIVE_MS, () => resolve("quiet"));
      });
      const what = await Promise.race([changed, quiet, gone]);
      cancel();
      return what;
    },
  };
}

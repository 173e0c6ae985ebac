import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

/** How long what was asked before the input ended may take. */
const LAST_ANSWERS_MS = 30_000;

export interface Wire {
  readonly transport: StdioServerTransport;
  /** Fires when the input has ended: whoever waits on purpose need not any more. */
  readonly leaving: AbortSignal;
  /** To be called once the transport is served. Resolves when the input has ended and everything is answered. */
  follow(): Promise<void>;
}

type Message = Parameters<StdioServerTransport["send"]>[0];

/**
 * The protocol's lines over two streams. The library drops what is under way when its input ends; a script that pipes
 * its requests in and closes the pipe would get no answers. So the end is kept from it until they are given.
 */
export function createWire(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Wire {
  const transport = new StdioServerTransport(input, output);
  const leaving = new AbortController();
  const open = new Set<string | number>();
  return {
    transport,
    leaving: leaving.signal,
    follow: () =>
      new Promise((resolve) => {
        const { onmessage, onclose } = transport;
        const close = transport.close.bind(transport);
        const send = transport.send.bind(transport);
        let ended = false;
        const closeIfIdle = () => {
          if (ended && open.size === 0) void close();
        };
        transport.onmessage = (message) => {
          if (isRequest(message)) open.add(message.id);
          onmessage?.(message);
        };
        transport.send = async (message) => {
          await send(message);
          if ("id" in message && !isRequest(message) && message.id !== undefined) open.delete(message.id);
          closeIfIdle();
        };
        // Called at the end of the input, and when a line is too long.
        transport.close = async () => {
          ended = true;
          leaving.abort();
          setTimeout(close, LAST_ANSWERS_MS).unref();
          closeIfIdle();
        };
        transport.onclose = () => {
          onclose?.();
          resolve();
        };
      }),
  };
}

const isRequest = (message: Message): message is Extract<Message, { method: string; id: string | number }> =>
  "method" in message && "id" in message;

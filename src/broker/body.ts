import type { IncomingMessage } from "node:http";
import { tooDeep } from "../core/json-depth.ts";
import { Refusal } from "./refusal.ts";

export const MOST_BYTES = 1024 * 1024;
const MOST_DEPTH = 64;

/** The request's JSON, refused in the wire's order: content type, size, then what is wrong with the text. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  checkType(request);
  const bytes = await readBytes(request);
  const text = decode(bytes);
  if (text.trim() === "") throw new Refusal(400, "request body must not be empty");
  if (tooDeep(text, MOST_DEPTH)) throw new Refusal(400, `The JSON nests deeper than ${MOST_DEPTH} levels.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal(400, `The body is not JSON: ${(error as Error).message.slice(0, 120)}`);
  }
}

function checkType({ headers }: IncomingMessage): void {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json") throw new Refusal(415, "Content-Type must be application/json");
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity")
    throw new Refusal(415, "Encoded bodies are not read; send plain JSON.");
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const tooLarge = () => new Refusal(413, `The body is larger than ${MOST_BYTES} bytes.`, {}, { connection: "close" });
  if (Number(request.headers["content-length"] ?? 0) > MOST_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Refusal(400, "The body is not valid UTF-8.");
  }
}

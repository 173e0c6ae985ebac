import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { BIN } from "./stage.ts";

export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
}

interface Response {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The other end of MCP over stdio, by hand: lines of JSON to a real `banksman mcp`, and what comes back. */
export class McpClient {
  readonly exited: Promise<number | null>;
  readonly stray: string[] = [];
  stderr = "";
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting = new Map<number, (response: Response) => void>();
  private last = 0;

  constructor(place: { cwd: string; env: Record<string, string> }, ...args: string[]) {
    this.child = spawn(process.execPath, [BIN, "mcp", ...args], { ...place, stdio: "pipe" });
    this.exited = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.stdin.on("error", () => undefined);
    this.child.stderr.on("data", (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    createInterface(this.child.stdout).on("line", (line) => this.hear(line));
  }

  private hear(line: string): void {
    const response = JSON.parse(line) as Response;
    const settle = this.waiting.get(response.id ?? -1);
    if (settle === undefined) this.stray.push(line);
    else settle(response);
    this.waiting.delete(response.id ?? -1);
  }

  write(text: string): void {
    this.child.stdin.write(text);
  }

  request(method: string, params: object = {}): Promise<Response> {
    const id = ++this.last;
    const answered = new Promise<Response>((resolve) => this.waiting.set(id, resolve));
    this.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return answered;
  }

  async initialize(): Promise<Record<string, unknown>> {
    const { result = {} } = await this.request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    });
    this.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    return result;
  }

  async tools(): Promise<string[]> {
    const { result } = await this.request("tools/list");
    return (result as { tools: { name: string }[] }).tools.map(({ name }) => name);
  }

  async call(name: string, given?: unknown): Promise<ToolAnswer> {
    const { result, error } = await this.request("tools/call", {
      name,
      ...(given !== undefined && { arguments: given }),
    });
    if (error !== undefined) return { isError: true, text: error.message };
    const { content, isError = false } = result as { content: { text: string }[]; isError?: boolean };
    return { isError, text: content[0]?.text ?? "" };
  }

  /** The answer of a call that must succeed. */
  async ask<T>(name: string, given?: unknown): Promise<T> {
    const { isError, text } = await this.call(name, given);
    if (isError) throw new Error(`${name}: ${text}`);
    return JSON.parse(text) as T;
  }

  async refusal(name: string, given?: unknown): Promise<string> {
    const { isError, text } = await this.call(name, given);
    if (!isError) throw new Error(`${name} was not refused: ${text}`);
    return text;
  }

  end(): Promise<number | null> {
    this.child.stdin.end();
    return this.exited;
  }

  dispose(): void {
    this.child.kill("SIGKILL");
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import type { AnyMessage, ClientContext } from "@agentclientprotocol/sdk";
import {
  afterRefusal,
  pickOption,
  readCost,
  readFailure,
  readPermission,
  readUpdate,
  readUsage,
} from "../../core/clis/acp.ts";
import { type EndHow, NO_USAGE, type Usage } from "../../core/clis/events.ts";
import type { AcpManner } from "../../core/clis/kind.ts";
import { at, listAt, parseObject, textAt } from "../../core/text/json-fields.ts";
import type { Channel, Wire } from "./channel.ts";

export interface AcpOrder {
  readonly acp: AcpManner;
  readonly mode: string | null;
  readonly cwd: string;
  readonly conversation: string | null;
  readonly since: number | null;
}

/** Loaded when the first agent needs it: it takes as long as everything else of a start together. */
export const loadSdk = () => import("@agentclientprotocol/sdk");

/**
 * The Agent Client Protocol, version 1: one client for every agent that speaks it. It offers neither files nor
 * terminals, so agents use their own, in their own process, where the group and the marker find them.
 */
export function acpChannel(order: AcpOrder, wire: Wire): Channel {
  return new AcpChannel(order, wire);
}

class AcpChannel implements Channel {
  readonly announces = true;
  resting = false;
  private agent: ClientContext | null = null;
  private session: string | null = null;
  private incoming: ReadableStreamDefaultController<AnyMessage> | null = null;
  private readonly asked = new Map<string, { params: unknown; answer(option: string | null): void }>();
  private requests = 0;
  /** The past of a conversation that is taken up comes again as news. */
  private past = false;
  private spent: Usage = NO_USAGE;
  private sessionCost: number | null = null;
  /** Taken up again, what it cost before is not known until it has said a total once. */
  private costBefore: "none" | "unknown" = "none";
  private said = "";
  private chunk = "";
  /** A refusal after which nothing more has been said or done. */
  private refused: { readonly note: string } | null = null;
  private cancelled = false;
  private failure: string | null = null;

  constructor(
    private readonly order: AcpOrder,
    private readonly wire: Wire,
  ) {}

  get listens(): boolean {
    return this.resting && this.session !== null;
  }

  begin(prompt: string): void {
    void this.open()
      .then(() => this.prompt(prompt))
      .catch((error: unknown) => this.ends("error", wordsOf(error)));
  }

  hear(line: string): void {
    const message = parseObject(line);
    // Some agents print a word or two before they speak the protocol.
    if (message?.jsonrpc === "2.0") this.incoming?.enqueue(message as AnyMessage);
  }

  answer(request: string, allow: boolean, note: string): boolean {
    const asked = this.asked.get(request);
    if (asked === undefined) return false;
    this.asked.delete(request);
    if (!allow) this.refused = { note };
    asked.answer(pickOption(asked.params, allow));
    return true;
  }

  tell(text: string): boolean {
    if (!this.listens) return false;
    this.resting = false;
    void this.prompt(text);
    return true;
  }

  cancel(): boolean {
    this.cancelled = true;
    for (const { answer } of this.asked.values()) answer(null);
    this.asked.clear();
    if (this.session === null || this.agent === null) return false;
    void this.agent.notify("session/cancel", { sessionId: this.session }).catch(() => undefined);
    return true;
  }

  private async open(): Promise<void> {
    const { client } = await loadSdk();
    const connection = client({ name: "banksman" })
      .onRequest("session/request_permission", ({ params }) => this.ask(params))
      .onNotification("session/update", ({ params }) => this.news(params.update))
      .connect({
        readable: new ReadableStream<AnyMessage>({
          start: (controller) => {
            this.incoming = controller;
          },
        }),
        writable: new WritableStream<AnyMessage>({ write: (message) => this.wire.send(JSON.stringify(message)) }),
      });
    this.agent = connection.agent;
    const hello = await this.agent.request("initialize", {
      protocolVersion: 1,
      clientCapabilities: {},
      clientInfo: { name: "banksman", version: __VERSION__ },
    });
    if (hello.protocolVersion !== 1) throw new Error(`it speaks version ${hello.protocolVersion} of the protocol`);
    const opened = (await this.resume(hello)) ?? (await this.fresh());
    this.wire.event({ type: "session", id: (this.session ?? "").slice(0, 200) });
    await this.setMode(opened);
  }

  /** The conversation it had, if it still has it: null starts a new one. */
  private async resume(hello: unknown): Promise<unknown> {
    const { conversation, cwd } = this.order;
    if (conversation === null || this.agent === null) return null;
    const params = { sessionId: conversation, cwd, mcpServers: [] };
    this.past = true;
    try {
      await this.itsMinute();
      const resumes = at(hello, "agentCapabilities", "sessionCapabilities", "resume") !== null;
      if (!resumes && at(hello, "agentCapabilities", "loadSession") !== true) return null;
      const opened = resumes
        ? await this.agent.request("session/resume", params)
        : await this.agent.request("session/load", params);
      this.session = conversation;
      this.costBefore = "unknown";
      return opened ?? {};
    } catch {
      return null;
    } finally {
      this.past = false;
    }
  }

  private async itsMinute(): Promise<void> {
    const { acp, since } = this.order;
    if (acp.resumes !== "after-its-minute" || since === null) return;
    const left = (Math.floor(since / MINUTE_MS) + 1) * MINUTE_MS - Date.now();
    if (left > 0) await sleep(left + 1_000, undefined, { ref: false });
  }

  private async fresh(): Promise<unknown> {
    const { agent, order } = this;
    if (agent === null) throw new Error("not connected");
    const ask = () => agent.request("session/new", { cwd: order.cwd, mcpServers: [] });
    const opened = await ask().catch(async (error: unknown) => {
      const methodId = order.acp.authenticate;
      if (at(error, "code") !== AUTH_REQUIRED || methodId === undefined) throw error;
      await agent.request("authenticate", { methodId });
      return ask();
    });
    this.session = opened.sessionId;
    return opened;
  }

  /** Said explicitly: what an agent does without asking differs, and changes from version to version. */
  private async setMode(opened: unknown): Promise<void> {
    const { mode } = this.order;
    if (mode === null || this.agent === null || this.session === null) return;
    if (textAt(opened, "modes", "currentModeId") === mode) return;
    const modes = listAt(opened, "modes", "availableModes").map((each) => textAt(each, "id"));
    if (!modes.includes(mode))
      throw new Error(`it has no mode ${JSON.stringify(mode)}, only ${modes.join(", ") || "its own"}`);
    await this.agent.request("session/set_mode", { sessionId: this.session, modeId: mode });
  }

  private async prompt(text: string): Promise<void> {
    const { agent, session } = this;
    if (agent === null || session === null) return this.ends("error", "no session");
    this.said = "";
    this.failure = null;
    try {
      const response = await agent.request("session/prompt", {
        sessionId: session,
        prompt: [{ type: "text", text }],
      });
      this.count(response);
      if (this.failure !== null) return this.ends("error", this.failure);
      // Most end their turn at a refusal, as if it were done: they are told to find another way.
      if (this.refused !== null && !this.cancelled) {
        const told = afterRefusal(this.refused.note);
        this.refused = null;
        return await this.prompt(told);
      }
      if (this.order.acp.saysErrors && readUsage(response) === null && this.chunk.startsWith("Error"))
        return this.ends("error", this.chunk);
      this.ends(ENDS[response.stopReason] ?? "error", this.said || response.stopReason);
    } catch (error) {
      this.ends("error", wordsOf(error));
    }
  }

  private ends(how: EndHow, message: string): void {
    this.resting = true;
    this.wire.event({ type: "end", how, message });
  }

  private count(response: unknown): void {
    const total = readUsage(response);
    const paid = this.costBefore === "unknown" ? this.sessionCost : this.spent.cost;
    this.costBefore = "none";
    const cost = this.sessionCost === null ? null : Math.max(0, this.sessionCost - (paid ?? 0));
    if (total === null && cost === null) return;
    const now = total ?? NO_USAGE;
    const before = this.order.acp.usage === "session" ? this.spent : NO_USAGE;
    this.wire.event({
      type: "usage",
      usage: {
        input: Math.max(0, now.input - before.input),
        output: Math.max(0, now.output - before.output),
        cached: Math.max(0, now.cached - before.cached),
        cost: cost ?? now.cost,
      },
    });
    this.spent = { ...now, cost: this.sessionCost };
  }

  private news(update: unknown): void {
    if (this.past) return;
    this.sessionCost = readCost(update) ?? this.sessionCost;
    this.failure = readFailure(update) ?? this.failure;
    for (const event of readUpdate(update)) {
      if (event.type === "text" || event.type === "tool.start") this.refused = null;
      if (event.type === "text") this.chunk = event.text;
      if (event.type === "text") this.said = (this.said + event.text).slice(-2_000);
      if (event.type === "tool.start") this.said = "";
      this.wire.event(event);
    }
  }

  private ask(params: unknown): Promise<Selection> {
    const request = `acp-${++this.requests}`;
    return new Promise((resolve) => {
      const answer = (option: string | null) =>
        resolve({ outcome: option === null ? { outcome: "cancelled" } : { outcome: "selected", optionId: option } });
      this.asked.set(request, { params, answer });
      this.wire.event(readPermission(request, params));
    });
  }
}

interface Selection {
  outcome: { outcome: "cancelled" } | { outcome: "selected"; optionId: string };
}

const MINUTE_MS = 60_000;

const AUTH_REQUIRED = -32_000;

const ENDS: Readonly<Record<string, EndHow>> = {
  end_turn: "ok",
  max_tokens: "error",
  max_turn_requests: "error",
  refusal: "refused",
  cancelled: "aborted",
};

/** What went wrong, with what the agent says of it beside its message. */
function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const data = at(error, "data");
  const more = typeof data === "string" ? data : (textAt(data, "details") ?? textAt(data, "message"));
  return more === null || message.includes(more) ? message : `${message}: ${more}`;
}

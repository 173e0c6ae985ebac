import type { Readable } from "node:stream";
import { LineCutter } from "../core/text/lines.ts";

/** What the supervisor says to the agent, over standard input. */
export type Said =
  | { readonly type: "prompt"; readonly text: string }
  | { readonly type: "message"; readonly text: string }
  | { readonly type: "permission"; readonly request: string; readonly allow: boolean; readonly note: string }
  | { readonly type: "cancel" };

/** The agent's end of the conversation: what it does goes out, what it is told comes in. */
export interface Channel {
  emit(event: { readonly type: string } & Record<string, unknown>): void;
  /** The next thing said that fits, whether it has come already or is still to come. */
  next(wants: (said: Said) => boolean): Promise<Said>;
}

/** JSON lines both ways: events out, the supervisor's words in. */
export class Lines implements Channel {
  private readonly heard: Said[] = [];
  private waiting: { wants(said: Said): boolean; take(said: Said): void }[] = [];

  constructor(input: Readable, onCancel: () => void, onEnd: () => void) {
    const cutter = new LineCutter(1024 * 1024);
    input.setEncoding("utf8");
    input.on("data", (text: string) => {
      for (const line of cutter.push(text)) {
        const said = parse(line);
        if (said?.type === "cancel") onCancel();
        else if (said !== null) this.receive(said);
      }
    });
    input.on("end", onEnd);
  }

  emit(event: object): void {
    process.stdout.write(`${JSON.stringify(event)}\n`);
  }

  next(wants: (said: Said) => boolean): Promise<Said> {
    const at = this.heard.findIndex(wants);
    const [early] = at < 0 ? [] : this.heard.splice(at, 1);
    if (early !== undefined) return Promise.resolve(early);
    return new Promise((take) => this.waiting.push({ wants, take }));
  }

  private receive(said: Said): void {
    const at = this.waiting.findIndex(({ wants }) => wants(said));
    const [reader] = at < 0 ? [] : this.waiting.splice(at, 1);
    if (reader === undefined) this.heard.push(said);
    else reader.take(said);
  }
}

function parse(line: string): Said | null {
  try {
    return JSON.parse(line) as Said;
  } catch {
    return null;
  }
}

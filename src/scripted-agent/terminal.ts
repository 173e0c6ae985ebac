import type { Channel, Said } from "./channel.ts";

const PASTE_ON = "\u001b[?2004h";
const PASTE_BEGIN = "\u001b[200~";
const PASTE_END = "\u001b[201~";
const LONGEST_SHOWN = 60;

/**
 * The agent on a terminal, as a coding CLI behaves there: what it does scrolls by, the last line says what it is at, a
 * paste goes into the box whole, and only Enter submits it. A permission is asked with a numbered choice.
 */
export class Terminal implements Channel {
  private box = "";
  private pasting: string | null = null;
  private asking: string | null = null;
  private idle = false;
  private prompted = false;
  private readonly heard: Said[] = [];
  private waiting: { wants(said: Said): boolean; take(said: Said): void }[] = [];

  constructor(
    private readonly agent: string,
    private readonly leave: () => void,
  ) {
    process.stdin.setRawMode?.(true);
    process.stdin.setEncoding("utf8");
    process.stdin.on("data", (text: string) => this.type(text));
    process.stdin.on("end", leave);
    process.stdout.write(PASTE_ON);
    this.print(`scripted agent for ${this.agent}: follows a script, is not a model`);
  }

  emit(event: { readonly type?: string } & Record<string, unknown>): void {
    if (event.type === "permission") this.ask(String(event.request), String(event.command));
    else if (event.type === "tool.start") this.print(`● ${String(event.name)} ${String(event.input)}`);
    else if (event.type === "text" && event.text !== "") this.print(String(event.text));
    else if (event.type === "end") this.print(`● ${String(event.how)}: ${String(event.message)}`);
  }

  next(wants: (said: Said) => boolean): Promise<Said> {
    const at = this.heard.findIndex(wants);
    const [early] = at < 0 ? [] : this.heard.splice(at, 1);
    if (early !== undefined) return Promise.resolve(early);
    this.idle = this.asking === null;
    this.draw();
    return new Promise((take) =>
      this.waiting.push({
        wants,
        take: (said) => {
          this.idle = false;
          this.draw();
          take(said);
        },
      }),
    );
  }

  private ask(request: string, command: string): void {
    this.print(`May I run this? ${request} ${JSON.stringify(command)}\n  1. Yes\n  2. No`);
    this.asking = request;
    this.draw();
  }

  private type(text: string): void {
    let rest = text;
    while (rest !== "") {
      if (this.pasting !== null) {
        const end = rest.indexOf(PASTE_END);
        this.pasting += end < 0 ? rest : rest.slice(0, end);
        if (end < 0) return;
        this.box += this.pasting;
        this.pasting = null;
        rest = rest.slice(end + PASTE_END.length);
      } else if (rest.startsWith(PASTE_BEGIN)) {
        this.pasting = "";
        rest = rest.slice(PASTE_BEGIN.length);
      } else {
        this.key(rest[0] ?? "");
        rest = rest.slice(1);
      }
    }
    this.draw();
  }

  private key(key: string): void {
    if (key === "\u0003" || key === "\u0004") return this.leave();
    if (this.asking !== null) return this.choose(key);
    if (key === "\u0015") this.box = "";
    else if (key === "\u007f") this.box = this.box.slice(0, -1);
    else if (key === "\r" || key === "\n") this.submit();
    else this.box += key;
  }

  private choose(key: string): void {
    const request = this.asking;
    if (request === null || (key !== "1" && key !== "2")) return;
    this.asking = null;
    this.receive({ type: "permission", request, allow: key === "1", note: "" });
  }

  private submit(): void {
    if (this.box === "") return;
    const text = this.box;
    this.box = "";
    this.print(`> ${shown(text)}`);
    this.receive({ type: this.prompted ? "message" : "prompt", text });
    this.prompted = true;
  }

  private receive(said: Said): void {
    const at = this.waiting.findIndex(({ wants }) => wants(said));
    const [reader] = at < 0 ? [] : this.waiting.splice(at, 1);
    if (reader === undefined) this.heard.push(said);
    else reader.take(said);
  }

  private print(text: string): void {
    process.stdout.write(`\r\u001b[K${text.replaceAll("\n", "\r\n")}\r\n`);
    this.draw();
  }

  private draw(): void {
    const line =
      this.asking !== null
        ? "[permission] press 1 or 2"
        : this.idle || this.box !== ""
          ? `[ready] > ${shown(this.box)}`
          : "[working] esc to interrupt";
    process.stdout.write(`\r\u001b[K${line}`);
  }
}

/** A long or several-line paste stands for itself, as in real ones. */
function shown(text: string): string {
  return text.length <= LONGEST_SHOWN && !/[\r\n]/.test(text) ? text : `[pasted ${text.length} characters]`;
}

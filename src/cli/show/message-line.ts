import { printable } from "../../core/text/printable.ts";

interface Entry {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
  readonly message: { readonly type?: unknown };
}

/** Who says what to whom, and as which kind of message; what the text says by itself is not said twice. */
export function messageLine({ from, to, text, message }: Entry): string {
  const kind = String(message.type).replace(/^(agent|supervisor)\./, "");
  const [first = ""] = text.split("\n");
  const said = first.startsWith(`${kind}:`) ? first : `${kind}: ${first}`;
  const whom = to.length === 1 && to[0] === from ? from : `${from} → ${to.join(", ") || "log"}`;
  return `${whom}  ${printable(said)}`;
}

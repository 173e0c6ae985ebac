import type { Approval } from "./kind.ts";
import { OWN_WORD_SOURCE } from "./own-word.ts";

/** Who answers: a supervisor over the channel, a person (or we) on the screen, or nobody. */
type Asks = "rpc" | "screen" | "nobody";

const FREE: Readonly<Record<Approval, readonly string[]>> = {
  manual: ["read", "grep", "find", "ls"],
  auto: ["read", "grep", "find", "ls", "edit", "write"],
  "full-auto": [],
};

/**
 * The extension that makes pi ask before it edits or runs something: it has no other way to. Written into a folder that
 * is the user's alone and given by `-e`. An error in it blocks the tool (pi's own rule), and so does no answer.
 */
export function gateSource(approval: Approval, asks: Asks): string {
  const free = approval === "full-auto" ? "true" : `${JSON.stringify(FREE[approval])}.includes(tool)`;
  return `// Written by banksman: asks before a tool edits or runs something.
const own = ${OWN_WORD_SOURCE};
export default function (pi) {
  pi.on("tool_call", (event, ctx) => {
    const { toolName: tool, input } = event;
    if (${free}) return undefined;
    if (tool === "bash" && typeof input?.command === "string" && own.test(input.command)) return undefined;
    ${ASKING[asks]}
    return ctx.ui.select(title, ["Yes", "No"]).then((chosen) => {
      if (chosen === "Yes") return undefined;
      const why = typeof chosen === "string" && chosen.startsWith("No: ") ? chosen.slice(4) : "not allowed";
      return { block: true, reason: "Refused by the supervisor: " + why };
    });
  });${asks === "rpc" ? LULL : ""}
}
`;
}

/** After each tool, what waits for the agent is put beside the tool's result. No answer is none. */
const LULL = `
  pi.on("tool_result", (event, ctx) =>
    ctx.ui.input(JSON.stringify({ pausePoint: true })).then((text) =>
      typeof text === "string" && text !== "" ? { content: [...event.content, { type: "text", text }] } : undefined,
    ),
  );`;

const ASKING: Readonly<Record<Asks, string>> = {
  rpc: "const title = JSON.stringify({ tool, input });",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source text of the extension, filled in there.
  screen: "const title = `Allow ${tool}?\\n\\n  ${input?.command ?? input?.path ?? JSON.stringify(input)}`;",
  nobody:
    'return { block: true, reason: "Refused by the supervisor: no person can be asked here" };\n    const title = "";',
};

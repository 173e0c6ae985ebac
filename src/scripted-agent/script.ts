import { readFileSync } from "node:fs";

/** One thing the agent does. A script is a list of these; nothing in it is decided by a model. */
export type ScriptStep =
  | { readonly do: "say"; readonly text: string }
  | { readonly do: "status"; readonly text: string }
  | { readonly do: "intent"; readonly why: string; readonly files: readonly string[] }
  | { readonly do: "retract" }
  | { readonly do: "blocked"; readonly needs: string; readonly from: string }
  | { readonly do: "artifact"; readonly exports?: readonly string[]; readonly files?: readonly string[] }
  | { readonly do: "question"; readonly text: string }
  | { readonly do: "ask"; readonly command: string }
  | { readonly do: "write"; readonly path: string; readonly text: string }
  | { readonly do: "append"; readonly path: string; readonly text: string }
  | { readonly do: "run"; readonly argv: readonly string[] }
  | { readonly do: "commit"; readonly message: string }
  | { readonly do: "usage"; readonly input: number; readonly output: number; readonly cost?: number }
  | { readonly do: "wait" }
  /** Waits for the prompt it was started with, or for a message, and writes it into a file. */
  | { readonly do: "hear"; readonly path: string }
  | { readonly do: "sleep"; readonly ms: number }
  | { readonly do: "stall" }
  | { readonly do: "deaf" }
  | { readonly do: "daemon" }
  | { readonly do: "crash"; readonly code: number }
  | { readonly do: "end"; readonly how: "ok" | "error" | "refused"; readonly text: string };

/** The fields a step must have, by kind; a script with a mistake is refused before its first step. */
const FIELDS: Readonly<Record<ScriptStep["do"], Readonly<Record<string, "string" | "number" | "list">>>> = {
  say: { text: "string" },
  status: { text: "string" },
  intent: { why: "string", files: "list" },
  retract: {},
  blocked: { needs: "string", from: "string" },
  artifact: {},
  question: { text: "string" },
  ask: { command: "string" },
  write: { path: "string", text: "string" },
  append: { path: "string", text: "string" },
  run: { argv: "list" },
  commit: { message: "string" },
  usage: { input: "number", output: "number" },
  wait: {},
  hear: { path: "string" },
  sleep: { ms: "number" },
  stall: {},
  deaf: {},
  daemon: {},
  crash: { code: "number" },
  end: { how: "string", text: "string" },
};

/** Reads a script: a JSON list of steps. Throws with the step's number and what is wrong with it. */
export function readScript(path: string): ScriptStep[] {
  const steps: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (!Array.isArray(steps)) throw new Error(`${path}: a script is a list of steps`);
  return steps.map((step, i) => checkStep(step, `${path}: step ${i + 1}`));
}

function checkStep(step: unknown, where: string): ScriptStep {
  const fields = (typeof step === "object" && step !== null ? step : {}) as Record<string, unknown>;
  const known = FIELDS[fields.do as ScriptStep["do"]];
  if (known === undefined) throw new Error(`${where}: "do" must be one of ${Object.keys(FIELDS).join(", ")}`);
  for (const [name, kind] of Object.entries(known)) {
    const fits = kind === "list" ? Array.isArray(fields[name]) : typeof fields[name] === kind;
    if (!fits) throw new Error(`${where}: ${String(fields.do)} needs ${name} (${kind})`);
  }
  return fields as unknown as ScriptStep;
}

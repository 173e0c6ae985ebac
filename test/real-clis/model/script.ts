import { roleSteps } from "./role-steps.ts";

/**
 * What the scripted model is asked to do. All `[[name argument]]` markers of the newest user text that has any are a
 * sequence of steps; the tool results since that text say how far it has come. Nothing is remembered between requests
 * (but which `once` has been), so a client may retry, resume and fork as it likes.
 */
export type Step =
  | { readonly kind: "write" | "commit"; readonly file: string; readonly content: string }
  | { readonly kind: "bash" | "escalate"; readonly command: string }
  | { readonly kind: "plan" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "slow"; readonly seconds: number }
  | { readonly kind: "status"; readonly code: number; readonly once: boolean }
  | { readonly kind: "hang" | "midhang" | "drop"; readonly once: boolean };

/** A step that is a tool call: the client answers it with one tool result, also when it was denied. */
export type CallStep = Extract<Step, { kind: "write" | "commit" | "bash" | "escalate" | "plan" }>;

/** A step that keeps the answer from coming, or from coming whole. */
export type FaultStep = Extract<Step, { kind: "status" | "hang" | "midhang" | "drop" }>;

/** What is said in a conversation, in order. What the model itself said does not matter to it. */
export type Entry = { readonly from: "user" | "tool"; readonly text: string };

/** Where a conversation stands. */
export interface Position {
  /** The markers as they were written, one after the other; empty when there are none. */
  readonly scenario: string;
  readonly steps: readonly Step[];
  /** The texts of the tool results since. */
  readonly results: readonly string[];
  /** Which of the conversation's scripts this is: a `once` of the second is not that of the first. */
  readonly ordinal: number;
}

/** What the model says now. */
export interface Turn {
  readonly text: string;
  readonly slowly: number;
  readonly call: CallStep | null;
  readonly fault: FaultStep | null;
}

export const DEFAULT_CONTENT = "hello from the scripted model";

export function locate(entries: readonly Entry[]): Position {
  const scripted = entries.map(({ from, text }) => (from === "user" ? markersIn(text) : []));
  const at = scripted.findLastIndex((markers) => markers.length > 0);
  const markers = scripted[at] ?? [];
  return {
    scenario: markers.map(({ written }) => written).join(" "),
    steps: markers.map(({ step }) => step),
    results: entries
      .slice(at + 1)
      .filter(({ from }) => from === "tool")
      .map(({ text }) => text),
    ordinal: scripted.filter((each) => each.length > 0).length,
  };
}

/**
 * From the step that is next up to and with the first tool call: what has to be said, waited for, or go wrong on the
 * way there. `isOver` says of a step by its place whether its `once` has been; then it is passed over.
 */
export function nextTurn(position: Position, isOver: (index: number) => boolean): Turn {
  const said: string[] = [];
  let slowly = 0;
  let answered = position.results.length;
  for (const [index, step] of position.steps.entries()) {
    if (isCall(step)) {
      if (answered === 0) return { text: said.join("\n") || `next: ${step.kind}`, slowly, call: step, fault: null };
      answered -= 1;
      said.length = 0;
      slowly = 0;
    } else if (step.kind === "text") said.push(step.text);
    else if (step.kind === "slow") slowly += step.seconds;
    else if (answered === 0 && !(step.once && isOver(index))) {
      return { text: said.join("\n") || "I was about to say", slowly, call: null, fault: step };
    }
  }
  return {
    text: said.join("\n") || `done: ${position.scenario || "nothing was asked"}`,
    slowly,
    call: null,
    fault: null,
  };
}

/** The place of a fault in its script, for the memory of `once`. */
export const faultKey = ({ scenario, ordinal }: Position, index: number): string => `${ordinal} ${index} ${scenario}`;

interface Marker {
  readonly written: string;
  readonly step: Step;
}

/** What a real model understands without markers, and ours has to be told: the prompts of `clis test`. */
const PLAIN_WORDS = [
  { words: /Run exactly this shell command: `([^`]+)`/, name: "bash" },
  { words: /Reply with exactly: (\w+)/, name: "text" },
] as const;

/** `]]` ends a marker unless more brackets follow, so that JSON may be an argument. */
function markersIn(text: string): readonly Marker[] {
  const role = roleSteps(text);
  if (role !== null) return role.map((step) => ({ written: `a role's ${step.kind}`, step }));
  for (const { words, name } of PLAIN_WORDS) {
    const [written, argument = ""] = words.exec(text) ?? [];
    const step = written === undefined ? null : parseStep(name, argument);
    if (written !== undefined && step !== null) return [{ written, step }];
  }
  return [...text.matchAll(/\[\[(\w+)(?:\s+([\s\S]+?))?\]\](?![\]}])/g)].flatMap(
    ([written, name = "", argument = ""]) => {
      const step = parseStep(name, argument.trim());
      return step === null ? [] : [{ written, step }];
    },
  );
}

/** Null for a name that is none of ours: `[[ -f x ]]` in a text is no marker. */
function parseStep(name: string, argument: string): Step | null {
  const [, fault = "", once = ""] = /^(400|401|403|429|500|503|529|hang|midhang|drop)(once)?$/.exec(name) ?? [];
  if (fault === "hang" || fault === "midhang" || fault === "drop") return { kind: fault, once: once !== "" };
  if (fault !== "") return { kind: "status", code: Number(fault), once: once !== "" };
  if (name === "write" || name === "commit") {
    const [file = "", content = DEFAULT_CONTENT] = argument.split(" :: ");
    return { kind: name, file: file.trim() || "hello.txt", content: content.replaceAll("\\n", "\n") };
  }
  if (name === "bash" || name === "escalate") return { kind: name, command: argument || "true" };
  if (name === "plan") return { kind: name };
  if (name === "text") return { kind: name, text: argument };
  if (name === "slow") return { kind: name, seconds: Number(argument) || 8 };
  return null;
}

const isCall = (step: Step): step is CallStep => ["write", "commit", "bash", "escalate", "plan"].includes(step.kind);

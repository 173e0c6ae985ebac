import { tooDeep } from "../../text/json-depth.ts";
import { asFields, at, type Fields, textAt } from "../../text/json-fields.ts";
import { tidy } from "../file/cells.ts";
import { HIGH_RISK } from "./risk.ts";
import type { Proposed } from "./size.ts";

/** What a planner may ask for. A `command` it names is not read: commands come from the registry. */
export type PlannerAnswer =
  | {
      readonly action: "dispatch";
      readonly item: string;
      readonly worker: string;
      readonly project: string | null;
      /** It says that the item could do damage. */
      readonly risky: boolean;
    }
  | {
      readonly action: "file_fix_task";
      readonly parent: string;
      readonly title: string;
      readonly body: string;
      readonly risky: boolean;
    }
  /** Something that only a person can decide, about an item or (null) the whole epic. */
  | {
      readonly action: "ask";
      readonly item: string | null;
      readonly question: string;
      readonly options: readonly string[];
      readonly default: string;
    }
  | { readonly action: "decompose"; readonly children: readonly Proposed[] }
  | { readonly action: "halt"; readonly status: "blocked" | "review"; readonly reason: string };

export type VerifierAnswer =
  | { readonly verdict: "PASS" }
  | { readonly verdict: "FAIL"; readonly reason: string }
  | { readonly verdict: "REVISE"; readonly reason: string };

export type CriticAnswer =
  | { readonly verdict: "SAFE_TO_DISPATCH"; readonly reason: string }
  | { readonly verdict: "NEEDS_REFINEMENT"; readonly reason: string }
  | { readonly verdict: "DO_NOT_DISPATCH"; readonly reason: string };

/** Why an answer is none. In our words: what a role wrote instead is not repeated. */
export interface Malformed {
  readonly malformed: string;
}

export const isMalformed = (value: object): value is Malformed => "malformed" in value;

export function parsePlanner(raw: string): PlannerAnswer | Malformed {
  const fields = parseAnswer(raw);
  if (isMalformed(fields)) return fields;
  const text = (name: string) => tidy(textAt(fields, name) ?? "");
  switch (at(fields, "action")) {
    case "dispatch": {
      const [item, worker, project] = [text("task_id"), text("worker"), at(fields, "project")];
      if (item === "" || worker === "") return no("a dispatch needs task_id and worker");
      if (project !== null && typeof project !== "string") return no("project is not a text");
      const home = project === null ? null : tidy(project);
      return { action: "dispatch", item, worker, project: home, risky: isRisky(fields) };
    }
    case "file_fix_task": {
      const [parent, title, body] = [text("parent"), text("title"), text("body")];
      if (parent === "" || title === "" || body === "") return no("a fix needs parent, title and body");
      const short = { title: title.slice(0, MOST_TITLE), body: body.slice(0, MOST_BODY) };
      return { action: "file_fix_task", parent, ...short, risky: isRisky(fields) };
    }
    case "ask": {
      const question = text("question").slice(0, MOST_QUESTION);
      if (question === "") return no("to ask needs a question");
      const options = texts(at(fields, "options")).map((option) => option.slice(0, MOST_TITLE));
      const standard = text("default").slice(0, MOST_TITLE);
      return { action: "ask", item: text("task_id") || null, question, options, default: standard };
    }
    case "halt": {
      const [status, reason] = [text("status"), text("reason")];
      if (status !== "blocked" && status !== "review") return no("a halt is blocked or review");
      return reason === "" ? no("a halt needs a reason") : { action: "halt", status, reason };
    }
    case "decompose":
      return parseChildren(fields);
    default:
      return no("its action is none of dispatch, file_fix_task, decompose, ask, halt");
  }
}

export function parseVerifier(raw: string): VerifierAnswer | Malformed {
  const fields = parseAnswer(raw);
  if (isMalformed(fields)) return fields;
  const [verdict, reason] = [at(fields, "verdict"), tidy(textAt(fields, "reason") ?? "")];
  if (verdict === "PASS") return { verdict };
  if (verdict !== "FAIL" && verdict !== "REVISE") return no("its verdict is none of PASS, FAIL, REVISE");
  return reason === "" ? no(`${verdict} needs a reason`) : { verdict, reason };
}

export function parseCritic(raw: string): CriticAnswer | Malformed {
  const fields = parseAnswer(raw);
  if (isMalformed(fields)) return fields;
  const [verdict, reason] = [at(fields, "verdict"), tidy(textAt(fields, "reason") ?? "")];
  if (verdict === "SAFE_TO_DISPATCH") return { verdict, reason };
  if (verdict !== "NEEDS_REFINEMENT" && verdict !== "DO_NOT_DISPATCH")
    return no("its verdict is none of SAFE_TO_DISPATCH, NEEDS_REFINEMENT, DO_NOT_DISPATCH");
  return reason === "" ? no(`${verdict} needs a reason`) : { verdict, reason };
}

const no = (malformed: string): Malformed => ({ malformed });

const MOST_ANSWER = 256 * 1024;
const MOST_TITLE = 200;
const MOST_BODY = 20_000;
const MOST_QUESTION = 1_000;

/** One JSON object and nothing else; a fence around all of it is forgiven. */
function parseAnswer(raw: string): Fields | Malformed {
  if (raw.length > MOST_ANSWER) return no("it is longer than 256 KB");
  const text = withoutFence(raw);
  if (tooDeep(text, 10)) return no("it is nested too deeply");
  try {
    const fields = asFields(JSON.parse(text));
    if (fields === null) return no("it is not one JSON object");
    return saysTwice(text) ? no("it says a field twice") : fields;
  } catch {
    return no("it is not one JSON object");
  }
}

/** What stands between a first line of three marks, with or without `json`, and a last line of them. */
function withoutFence(raw: string): string {
  const text = raw.trim();
  const first = text.indexOf("\n");
  const last = text.lastIndexOf("\n");
  const opens = first > 0 && first < last && /^```(?:json)?\s*$/.test(text.slice(0, first));
  return opens && text.slice(last).trim() === "```" ? text.slice(first + 1, last) : raw;
}

/** Whether the object has a key twice: JSON.parse takes the last one, and a reader may have seen the first. */
function saysTwice(text: string): boolean {
  const seen = new Set<string>();
  let depth = 0;
  for (const [token, key] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (depth === 1 && key !== undefined && token.endsWith(":")) {
      const name = JSON.parse(key) as string;
      if (seen.has(name)) return true;
      seen.add(name);
    }
  }
  return false;
}

function parseChildren(fields: Fields): PlannerAnswer | Malformed {
  const list = at(fields, "items") ?? at(fields, "subtasks") ?? at(fields, "children") ?? at(fields, "tasks");
  if (!Array.isArray(list) || list.length === 0 || list.length > 200) return no("a decomposition needs items");
  const children = list.map(parseChild);
  const wrong = children.indexOf(null);
  if (wrong >= 0) return no(`item ${wrong + 1} of the decomposition has no title`);
  return { action: "decompose", children: children.filter((child) => child !== null) };
}

function parseChild(value: unknown): Proposed | null {
  const text = (...names: readonly string[]) =>
    tidy(names.map((name) => textAt(value, name)).find((each) => each !== null) ?? "");
  const title = text("title").slice(0, MOST_TITLE);
  if (title === "") return null;
  return {
    id: text("id") || null,
    title,
    body: text("body", "criteria").slice(0, MOST_BODY),
    depends: texts(at(value, "depends") ?? at(value, "depends_on")),
    worker: text("worker"),
    tags: [...texts(at(value, "tags")), ...(isRisky(value) ? [HIGH_RISK] : [])].join(", "),
    hours: hoursOf(at(value, "hours") ?? at(value, "estimate_hours") ?? at(value, "estimate")),
    files: countOf(at(value, "files")),
  };
}

/** `"risk": "high"`, or true. */
const isRisky = (value: unknown): boolean => ["high", HIGH_RISK, true].includes(at(value, "risk") as string);

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [])
    .filter((each): each is string => typeof each === "string" && each.trim() !== "")
    .slice(0, 100)
    .map(tidy);

/** Hours as a number, `6h`, `90m`, `1d` or `0.5 day`: a day has eight. */
function hoursOf(value: unknown): number | null {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  const [, amount = "", unit = "h"] =
    /^\s*(\d+(?:\.\d+)?)\s*([hmd])?/i.exec(typeof value === "string" ? value : "") ?? [];
  if (amount === "") return null;
  return Number(amount) * ({ h: 1, m: 1 / 60, d: 8 }[unit.toLowerCase()] ?? 1);
}

const countOf = (value: unknown): number | null =>
  Array.isArray(value) ? value.length : typeof value === "number" && Number.isFinite(value) ? value : null;

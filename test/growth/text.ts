import { fenced } from "../../src/core/text/fenced.ts";
import { readFrontmatter } from "../../src/core/text/frontmatter.ts";
import type { Branch } from "../../src/core/text/ids.ts";
import { tooDeep } from "../../src/core/text/json-depth.ts";
import { parseObject } from "../../src/core/text/json-fields.ts";
import { LineCutter } from "../../src/core/text/lines.ts";
import { AGENT_ID, nameAgents, slug } from "../../src/core/text/naming.ts";
import { nearest } from "../../src/core/text/nearest.ts";
import { forTerminal, onOneLine, printable, toJson, typeable } from "../../src/core/text/printable.ts";
import { shellWord, tmuxWord } from "../../src/core/text/quote.ts";
import { redact } from "../../src/core/text/redact.ts";
import { isSecretName } from "../../src/core/text/secret-names.ts";
import { stripEscapes } from "../../src/core/text/strip-escapes.ts";
import { splitWords } from "../../src/core/text/words.ts";
import type { Parser } from "./parser.ts";
import { numbered, repeated } from "./shapes.ts";

const inPieces = (piece: number) => (text: string) => {
  const cutter = new LineCutter(1024 * 1024);
  for (let at = 0; at < text.length; at += piece) cutter.push(text.slice(at, at + piece));
  return cutter.end();
};

export const TEXT: readonly Parser[] = [
  { name: "escapes: stripEscapes", run: stripEscapes, begins: ["\u001b[", "\u001b]0;", "\u001bP"], ends: ["\rx"] },
  { name: "terminal: printable", run: printable },
  { name: "terminal: typeable", run: typeable },
  { name: "terminal: onOneLine", run: onOneLine },
  { name: "terminal: forTerminal", run: forTerminal, begins: ["\u001b["] },
  { name: "terminal: toJson", run: toJson },
  {
    name: "redaction: redact",
    run: (text) => redact(text, ["A".repeat(32), `${"a".repeat(31)}b`, "0123456789abcdef0123456789abcdef"]),
    shapes: { "nearly the secret": repeated("a".repeat(31)) },
  },
  {
    name: "fence: fenced",
    run: fenced,
    shapes: { "many fences": repeated("`a"), "growing fences": numbered((i) => `${"`".repeat(i % 50)} `) },
  },
  {
    name: "front matter: readFrontmatter",
    run: readFrontmatter,
    begins: ["---\n", "---\na: ", "---\na: [", "---\na: |\n ", "---\n? "],
    ends: ["\n---\n", "\n---\nx"],
    shapes: {
      "many keys": numbered((i) => `k${i}: v\n`, "---\n", "---\n"),
      "deep flow": repeated("[", "---\na: ", "\n---\n"),
      "deep block": numbered((i) => `${" ".repeat(i % 400)}a:\n`, "---\n", "---\n"),
      anchors: numbered((i) => `k${i}: &a${i} v\n`, "---\n", "---\n"),
      aliases: numbered((i) => `k${i}: *a\n`, "---\na: &a x\n", "---\n"),
      "long key": repeated("k", "---\n", ": v\n---\n"),
      "never closed": repeated("a: b\n", "---\n"),
    },
  },
  { name: "names: slug", run: slug, ends: ["x"] },
  { name: "names: nameAgents", run: (text) => nameAgents([text as Branch]), shapes: {} },
  {
    name: "names: nameAgents of many",
    run: (text) => nameAgents(text.split(",") as Branch[]),
    shapes: { many: numbered((i) => `A/${i},`) },
  },
  { name: "names: an id", run: (text) => AGENT_ID.test(text) },
  { name: "names: nearest", run: (text) => nearest(text, ["agent.status", "agent.artifact", "supervisor.verify-now"]) },
  { name: "names: a secret's file", run: isSecretName, begins: [".env.", "client_secret", "x."], ends: [".json", "/"] },
  { name: "words: splitWords", run: splitWords, begins: ['"', "'"] },
  { name: "words: tmuxWord", run: tmuxWord },
  { name: "words: shellWord", run: shellWord },
  { name: "lines: LineCutter, at once", run: inPieces(1_000_000) },
  { name: "lines: LineCutter, by 100", run: inPieces(100) },
  { name: "lines: LineCutter, by one", run: inPieces(1) },
  {
    name: "JSON: parseObject",
    run: parseObject,
    shapes: { deep: repeated('{"a":'), "many keys": numbered((i) => `"k${i}":1,`, "{", '"z":1}') },
  },
  { name: "JSON: tooDeep", run: (text) => tooDeep(text, 64), begins: ['"'] },
];

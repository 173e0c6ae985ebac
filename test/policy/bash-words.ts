// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are words of a shell.
import { spawnSync } from "node:child_process";
import { type Command, forEachChild, parse, type SyntaxNode, type Word } from "unbash";
import { refuseText } from "../../src/core/policy/refuse-text.ts";
import { isKnown } from "../../src/core/policy/shell/argument.ts";
import { readWord } from "../../src/core/policy/shell/read-word.ts";
import { Scope } from "../../src/core/policy/shell/scope.ts";
import { GROUND } from "./ground.ts";

/** Pieces of which words are made: everything by which a shell makes one text of another, and nothing that runs. */
const PIECES = [
  ..."abxyz019.-_/=:@%+,~#!^[]*?{}\\\"'",
  ..."\\\\|\\\n|\\ |\\'|\\\"|\\$|\\`|\\a|\\~|\\#|\\;|\\&|\\||\\<|\\>|\\(|\\)|\\*|\\{".split("|"),
  ...'\'a b\'|\'\'|\'\\\'|\'$x\'|\'|"a b"|""|"\\\\"|"\\""|"\\$"|"\\a"|"\'"|"\\\n"|"$HOME"|$HOME|${HOME}|"${HOME}/x"'.split(
    "|",
  ),
  ..."$'a'|$'\\n'|$'\\t'|$'\\\\'|$'\\''|$'\\x41'|$'\\101'|$'\\u00e9'|$'\\0a'|$'\\cA'|$'a b'|$\"a\"".split("|"),
  ..."{a,b}|{a,}|{,a}|{a}|{}|{a,b}{c,d}|x{a,b}y|{a..c}|{1..3}|{a,{b,c}}|\\{a,b}|{a\\,b}|{'a,b',c}|~/x|~|~+|~x|a~|=~/x|a=~/x|a:~/x|--a=~/x".split(
    "|",
  ),
  ..."é|ß|🎉|\t".split("|"),
];
const BETWEEN = [" ", " ", " ", " ", "  ", "\t", " \\\n ", "; args ", "\nargs ", " && args ", " # x\nargs "];

/** A script that calls `args` with words. */
export function wordScript(pick: (below: number) => number): string {
  const words = Array.from({ length: 1 + pick(4) }, () =>
    Array.from({ length: 1 + pick(5) }, () => PIECES[pick(PIECES.length)] ?? "").join(""),
  );
  return `args ${words.map((word) => word + (BETWEEN[pick(BETWEEN.length)] ?? " ")).join("")}`.trimEnd();
}

/** The words that bash gives to each call of `args`, script by script. It can run no program and open no file. */
export function bashWords(scripts: readonly string[], folder: string): string[][][] {
  const read = `args() { printf '%s\\0' C "$#" "$@"; }; for each in "$@"; do ( eval "$each" ); printf 'E\\0'; done`;
  const { stdout, status } = spawnSync("/bin/bash", ["--norc", "--noprofile", "-r", "-c", read, "bash", ...scripts], {
    cwd: folder,
    env: { PATH: "/nonexistent", HOME: GROUND.home, LC_ALL: "C.UTF-8" },
    maxBuffer: 1 << 26,
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (status !== 0) throw new Error(`bash ended with ${status}`);
  return readCalls(stdout.toString().split("\0").slice(0, -1));
}

/** `C`, how many, and as many words, for each call; `E` at the end of each script. */
function readCalls(fields: readonly string[]): string[][][] {
  const all: string[][][] = [];
  let calls: string[][] = [];
  for (let i = 0; i < fields.length; i++) {
    if (fields[i] === "E") {
      all.push(calls);
      calls = [];
    } else {
      const count = Number(fields[i + 1]);
      calls.push(fields.slice(i + 2, i + 2 + count));
      i += 1 + count;
    }
  }
  return all;
}

/** The same as we read it; null where it is not all known, and would not be approved. */
export function ourWords(script: string): string[][] | null {
  const parsed = parse(script);
  if ((parsed.errors?.length ?? 0) > 0 || refuseText(script) !== null) return null;
  const scope = Scope.of(GROUND, new Map());
  const calls: string[][] = [];
  let known = true;
  const visit = (node: SyntaxNode): void => {
    if (node.type !== "Command") {
      known &&= inOrder(node);
      return forEachChild(node, visit);
    }
    const words = wordsOf(node).map((word) => readWord(word, scope));
    known &&= words.flat().every(isKnown) && node.redirects.length === 0 && node.prefix.length === 0;
    const [name, ...rest] = words.flat();
    if (name?.text !== "args") known = false;
    calls.push(rest.map(({ text }) => text));
  };
  visit(parsed);
  return known ? calls : null;
}

/** One command after the other, each of them run: what else there is, is asked about or tested elsewhere. */
const inOrder = (node: SyntaxNode): boolean =>
  node.type === "Script" ||
  (node.type === "Statement" && !node.background) ||
  (node.type === "AndOr" && node.operators.every((each) => each === "&&"));

const wordsOf = ({ name, suffix }: Command): Word[] =>
  [...(name === undefined ? [] : [name]), ...suffix].filter((each): each is Word => each.type === "Word");

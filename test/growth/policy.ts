import { decide } from "../../src/core/policy/decide.ts";
import { decideTool } from "../../src/core/policy/decide-tool.ts";
import { couldMatch } from "../../src/core/policy/paths/matches-glob.ts";
import { normalize } from "../../src/core/policy/paths/normalize.ts";
import { isSecret } from "../../src/core/policy/paths/secrets.ts";
import { isBroker, isOwnPort } from "../../src/core/policy/programs/own-address.ts";
import { judgeSedScript } from "../../src/core/policy/programs/sed-script.ts";
import { GROUND } from "../policy/ground.ts";
import type { Parser } from "./parser.ts";
import { numbered, repeated } from "./shapes.ts";

const MOST = 64 * 1024;

export const POLICY: readonly Parser[] = [
  {
    name: "policy: a command",
    run: (text) => decide(text, GROUND),
    begins: [
      "ls ",
      'echo "',
      "cat <<E\n",
      "sed '",
      "awk '",
      "x=",
      "for f in ",
      "git commit -m ",
      "cd a && cat ",
      "echo {",
    ],
    shapes: {
      "nested substitutions": repeated("$("),
      "braces without an end": repeated("a{b,"),
      "braces with quoted ends": repeated('{a,"}"'),
      "here-documents": repeated("<<a "),
      commands: repeated("ls;"),
      loops: repeated("for i in a b c d e f g h; do ", "", "ls"),
      words: numbered((i) => `src/${i}.ts `, "wc -l "),
    },
  },
  {
    name: "policy: as much as is judged",
    run: (text) => {
      for (let at = 0; at < text.length; at += MOST) decide(text.slice(at, at + MOST), GROUND);
    },
    shapes: {
      "a text in quotes": repeated("a b ", "git commit -m 'x", "'"),
      words: repeated("a "),
      "a path": repeated("a/../"),
      lines: repeated("ls -la src\n"),
      substitutions: repeated('"$(a)" '),
    },
  },
  {
    name: "policy: a tool",
    run: (text) => [
      decideTool({ tool: "edit", paths: text.split("\n") }, GROUND),
      decideTool({ tool: "fetch", url: text }, GROUND),
      decideTool({ tool: "mcp", server: text, name: text }, GROUND),
    ],
    begins: ["https://docs.example.org/"],
  },
  {
    name: "policy: a script of sed",
    run: judgeSedScript,
    begins: ["s/", "s/a/", "/[", "1,"],
    shapes: {
      brackets: repeated("[a]", "s/"),
      "brackets without an end": repeated("[", "s/"),
      many: repeated("s/a/b/;"),
    },
  },
  { name: "policy: a pattern", run: (text) => couldMatch(text, "secrets.json"), shapes: { stars: repeated("*a") } },
  { name: "policy: a path", run: (text) => isSecret(normalize(text, "/w"), "/home/dev"), begins: ["/proc/"] },
  {
    name: "policy: an address",
    run: (text) => [isBroker(text, GROUND), isOwnPort(text, GROUND)],
    begins: ["http://127.0.0.1:9119/a/token/", "http://localhost:4100/"],
  },
];

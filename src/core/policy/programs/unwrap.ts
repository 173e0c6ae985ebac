import { ask, type Judgement } from "../decision.ts";
import { type Argument, isKnown } from "../shell/argument.ts";
import { isHarmlessName } from "../shell/judge-assignments.ts";

/** Programs that only run another one: after so many words of their own. */
type Wrapper = (words: readonly string[]) => number | null;

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  command: (words) => (words[0]?.startsWith("-") ? null : 0),
  /** With variables that run nothing; alone it would print all of them. */
  env: (words) => {
    const used = words.findIndex((word) => !/^\w+=/.test(word));
    if (words[used]?.startsWith("-")) return null;
    return used >= 0 && words.slice(0, used).every((word) => isHarmlessName(word.split("=")[0] ?? "")) ? used : null;
  },
  time: (words) => (words[0] === "-p" ? 1 : words[0]?.startsWith("-") ? null : 0),
  nice: (words) => (words[0] === "-n" ? 2 : /^-n?\d+$/.test(words[0] ?? "") ? 1 : words[0]?.startsWith("-") ? null : 0),
  timeout: (words) => {
    let at = 0;
    while (words[at]?.startsWith("-")) {
      if (/^(--foreground|--preserve-status|-v|--verbose|--(signal|kill-after)=\w+)$/.test(words[at] ?? "")) at++;
      else if (/^-[sk]$/.test(words[at] ?? "")) at += 2;
      else return null;
    }
    return /^\d+(\.\d+)?[smhd]?$/.test(words[at] ?? "") ? at + 1 : null;
  },
};

const MOST_LAYERS = 5;

/** The command inside `timeout 60`, `nice`, `time` and `command`. */
export function unwrap(argv: readonly Argument[]): readonly Argument[] | Judgement {
  let inner = argv;
  for (let layer = 0; layer <= MOST_LAYERS; layer++) {
    const [first, ...rest] = inner;
    const name = first !== undefined && isKnown(first) ? first.text.replace(/^(\/usr)?\/bin\//, "") : "";
    const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
    if (wrapper === undefined) return inner;
    // `command -v x` asks where a program is, and runs nothing.
    if (name === "command" && /^-[vV]$/.test(rest[0]?.text ?? "")) return inner;
    const used = wrapper(rest.map((each) => (isKnown(each) ? each.text : "-?")));
    if (used === null || rest.length <= used)
      return ask("wrapper.option", `\`${name}\` has an option that banksman does not know to be harmless.`);
    inner = rest.slice(used);
  }
  return ask("wrapper.deep", "It wraps one command into another too often.");
}

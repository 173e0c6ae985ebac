import { ask, deny, type Judgement } from "../decision.ts";
import type { Entry, Programs } from "./entry.ts";

const shows = (name: string): Entry => ({
  rule: `banksman.${name}`,
  does: "read",
  why: "It only shows what banksman knows.",
  options: "--json --help -h --limit= --since= --refs",
  operands: ["name"],
});
const persons = (name: string): Judgement =>
  deny(`banksman.${name}`, `\`banksman ${name}\` is a person's to run, and not an agent's.`);

/** Our own program: agents speak and look by it, and decide nothing. */
export const BANKSMAN: Programs = {
  banksman: {
    commands: {
      say: {
        rule: "banksman.say",
        does: "read",
        why: "It is how an agent tells banksman something.",
        options: "--exports= --files= --wait= --json --help -h --for=",
        operands: ["text"],
      },
      ...Object.fromEntries(
        ["status", "agents", "inbox", "questions", "conflicts", "explain"].map((name) => [name, shows(name)]),
      ),
      ...Object.fromEntries(
        "land answer trust approvals restore purge remove stop start add pause resume retract serve init clis epic run board attach console mcp replay tell worker demo verify"
          .split(" ")
          .map((name) => [name, persons(name)]),
      ),
    },
    options: "--version -V --help -h",
    alone: {
      rule: "banksman.help",
      does: "read",
      why: "It prints its version or its help.",
      options: "--version -V --help -h",
      check: ({ options }) => (options.length > 0 ? null : persons("start")),
    },
    other: ask("banksman.other", "It is a command of banksman that agents do not need."),
  },
};

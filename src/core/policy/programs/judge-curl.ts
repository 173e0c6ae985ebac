import { approve, ask, deny, type Judgement, worst } from "../decision.ts";
import { judgeArgument } from "../paths/judge-argument.ts";
import { type Argument, HOLE } from "../shell/argument.ts";
import type { Scope } from "../shell/scope.ts";
import { isBroker, isOwnPort } from "./own-address.ts";
import { readOptions } from "./read-options.ts";

const SENDS = new Set(["-d", "--data", "--data-raw", "--data-binary", "--json", "--data-urlencode"]);

/** curl reaches the agent's own broker, and by GET the agent's own port; everything else is a person's to say. */
export function judgeCurl(words: readonly Argument[], scope: Scope): Judgement {
  const read = readOptions(words, {
    rule: "network.curl",
    options:
      "-s -S -f -i -I -v -g -N -k --silent --show-error --fail --fail-with-body --include --head --verbose --globoff --no-buffer -X= --request= -H= --header= -m= --max-time= --connect-timeout= --retry= --retry-delay= --retry-connrefused -w= --write-out= -o> --output> -d= --data= --data-raw= --data-binary= --json= --data-urlencode= --url=",
    refused: {
      "-T": deny("network.upload", "It sends a file."),
      "--upload-file": deny("network.upload", "It sends a file."),
      "-K": ask("network.curl.config", "It takes its options from a file."),
      "-L": ask("network.curl.redirect", "It follows the server to other addresses."),
    },
  });
  if ("decision" in read) return worst([read, ...words.map((each) => secretIn(each, scope))]) ?? read;
  const urls = [
    ...read.operands,
    ...read.options.flatMap(({ name, value }) => (name === "--url" && value ? [value] : [])),
  ];
  const method = read.options.find(({ name }) => name === "-X" || name === "--request")?.value?.text;
  const sends = read.options.some(({ name }) => SENDS.has(name));
  return (
    worst([
      judgeAddress(urls, sends || (method !== undefined && method !== "GET" && method !== "HEAD"), scope),
      ...read.options.map(({ name, value, kind }) => {
        if (value === null) return null;
        if (kind === "write") return judgeArgument(value, "write", scope);
        if (SENDS.has(name) && name !== "--data-raw") return judgeData(value, name, scope);
        if (name === "-H" || name === "--header")
          return value.text.startsWith("@")
            ? judgeArgument({ ...value, text: value.text.slice(1) }, "read", scope)
            : null;
        return /^@|%output/.test(value.text) && (name === "-w" || name === "--write-out")
          ? ask("network.curl.write-out", "Its format reads or writes a file.")
          : null;
      }),
    ]) ?? ask("network.curl", "It reaches the network.")
  );
}

function judgeAddress(urls: readonly Argument[], sends: boolean, { context }: Scope): Judgement {
  const [url] = urls;
  // A `?` that no quotes protect is a pattern of one character, which leaves the host as it is.
  if (url === undefined || urls.length > 1 || url.text.includes(HOLE) || (url.pattern && /[*[]/.test(url.text)))
    return ask("network.curl.address", "It is not known which address it reaches.");
  if (isBroker(url.text, context)) return approve("network.broker", "read", "It speaks with the agent's own broker.");
  if (isOwnPort(url.text, context) && !sends)
    return approve("network.own-port", "read", "It reads from the agent's own port on this machine.");
  return sends
    ? deny("network.send", "It sends something to an address that is not the agent's own.")
    : ask("network.curl.other", "It reaches an address that is not the agent's own.");
}

/** `@file` and `name@file` send what is in a file. */
function judgeData(value: Argument, name: string, scope: Scope): Judgement | null {
  const file = name === "--data-urlencode" ? /^[^=]*@(.+)$/s.exec(value.text)?.[1] : /^@(.+)$/s.exec(value.text)?.[1];
  return file === undefined || file === "-" ? null : judgeArgument(withHome(value, file, scope), "read", scope);
}

/** A shell does not expand a tilde behind `@`; whoever writes one means it. */
const withHome = (value: Argument, file: string, { context }: Scope): Argument => ({
  ...value,
  text: file.startsWith("~/") ? context.home + file.slice(1) : file,
});

function secretIn(word: Argument, scope: Scope): Judgement | null {
  const at = word.text.indexOf("@");
  if (at < 0) return null;
  const judged = judgeArgument(withHome(word, word.text.slice(at + 1), scope), "read", scope);
  return judged?.rule === "path.secret" ? judged : null;
}

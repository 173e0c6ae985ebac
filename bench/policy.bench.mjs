// What one decision on a command takes; how much of the routine is approved, and whether anything
// is that should not be; and the largest commands that are judged.
import { median, row } from "./ground.mjs";
import { loadSources } from "./load.mjs";

const ROUNDS = 20;

export async function bench({ say }) {
  const kit = await loadSources("policy-ground");
  const { decide, CORPUS, ROUTINE, GROUND } = kit;
  const commands = CORPUS.map(([, , command]) => command);
  const each = (work) => {
    for (const command of commands) work(command);
    return Array.from({ length: ROUNDS }, () => {
      const begun = performance.now();
      for (const command of commands) work(command);
      return (performance.now() - begun) / commands.length;
    });
  };
  say(`${CORPUS.length} commands, ${ROUNDS} times ...`);
  const decided = median(each((command) => decide(command, GROUND)));
  const approved = ROUTINE.filter((command) => decide(command, GROUND).decision === "approve");
  const others = CORPUS.filter(([decision]) => decision !== "approve");
  const wrong = others.filter(([, , command]) => decide(command, GROUND).decision === "approve");
  const denied = others.filter(([decision]) => decision === "deny");
  const reallyDenied = denied.filter(([, , command]) => decide(command, GROUND).decision === "deny");
  const prefix = others.filter(([, , command]) => PREFIXES.some((words) => `${command} `.startsWith(`${words} `)));
  return [
    { name: "one decision", ours: decided, unit: "ms", goal: "≤ 5 ms" },
    ...LARGE.map(([name, text]) => ({
      name: `64 kB: ${name}`,
      ours: largest(decide, GROUND, text),
      unit: "ms",
      goal: "≤ 50 ms",
    })),
    {
      name: `routine commands approved, of ${ROUTINE.length}`,
      ours: (100 * approved.length) / ROUTINE.length,
      unit: "%",
      goal: "≥ 95 %",
    },
    row(`wrongly approved, of ${others.length}, next to a list of prefixes`, wrong.length, prefix.length, "", "0"),
    {
      name: `denied, of ${denied.length} that should be`,
      ours: (100 * reallyDenied.length) / denied.length,
      unit: "%",
      goal: "≥ 90 %",
    },
  ];
}

/** What git-paw and its like compare the beginning of a command with. */
const PREFIXES =
  "curl|cat|ls|grep|rg|git|echo|sed|awk|find|wc|head|tail|jq|mkdir|touch|export|tmux|env|npm test|npm run|npm install|cargo test|cargo build|go test|pytest|pip install".split(
    "|",
  );

const SIZE = 64 * 1024;
const fill = (begin, unit, end = "") => begin + unit.repeat((SIZE - begin.length - end.length) / unit.length) + end;
const LARGE = [
  [
    "a file written by a here-document",
    fill("cat > src/a.ts <<'EOF'\n", "export const a = (b: number) => b + 1;\n", "EOF\n"),
  ],
  [
    "a here-document with variables",
    fill("cat > src/a.ts <<EOF\n", "a line with $HOME in it, and more text\n", "EOF\n"),
  ],
  ["one message of a commit", fill('git commit -m "', "a line of text and more text\n", '"')],
  ["thousands of words", fill("wc -l ", "src/a.ts ")],
  ["thousands of commands", fill("", "ls;")],
  ["nothing but quotes", fill("", '"')],
];

function largest(decide, ground, text) {
  const times = Array.from({ length: 15 }, () => {
    const begun = performance.now();
    decide(text, ground);
    return performance.now() - begun;
  });
  return median(times);
}

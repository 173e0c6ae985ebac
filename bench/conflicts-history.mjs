// A repository with two-parent merges in it, of which about every seventh conflicts: what teams have (13.6 % measured).
import { execFileSync } from "node:child_process";

const FILES = 300;
const LINES = 120;

export function fillWithMerges(ground, count) {
  let seed = 1;
  const below = (most) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >> 8) % most;
  };
  const files = Array.from({ length: FILES }, (_, i) => Array.from({ length: LINES }, (_, j) => `line ${j} of ${i}`));
  let mark = 0;
  const parts = [];
  const commit = (parents, changed) => {
    const own = ++mark;
    parts.push(
      `commit refs/heads/${parents.length > 1 || own === 1 ? "main" : "side"}\nmark :${own}\ncommitter B <b@localhost> ${1_700_000_000 + own} +0000\ndata 1\nx\n`,
    );
    parts.push(parents.map((parent, i) => `${i === 0 ? "from" : "merge"} :${parent}\n`).join(""));
    for (const [name, lines] of changed) {
      const text = `${lines.join("\n")}\n`;
      parts.push(
        `M 100644 inline src/${Math.floor(name / 20)}/file-${name}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
      );
    }
    return own;
  };
  let tip = commit([], files.entries());
  for (let i = 0; i < count; i++) {
    // Work clusters: both sides are drawn to the same few files, and there often to the same lines.
    const hot = below(FILES - 6);
    const line = below(LINES);
    const side = (who) => {
      const chosen = new Set(
        Array.from({ length: 1 + below(3) }, () => (below(4) > 0 ? hot + below(4) : below(FILES))),
      );
      return [...chosen].map((name) => {
        const lines = [...(files[name] ?? [])];
        const at = below(2) === 0 ? line + below(9) : below(LINES);
        for (let j = at; j < Math.min(LINES, at + 1 + below(30)); j++) lines[j] = `${who} ${i} ${j}`;
        return [name, lines];
      });
    };
    const [left, right] = [side("left"), side("right")];
    const ours = commit([tip], left);
    const theirs = commit([tip], right);
    for (const [name, lines] of left) files[name] = lines;
    tip = commit([ours, theirs], []);
  }
  execFileSync("git", ["fast-import", "--quiet", "--force"], {
    cwd: ground.root,
    env: ground.env,
    input: parts.join(""),
  });
}

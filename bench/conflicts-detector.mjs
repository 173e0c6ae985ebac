// One message in a house of 1,000 agents with 50 modified files and a plan each: what the detector needs for it.
import { median, row } from "./ground.mjs";

const AGENTS = 1_000;
const FILES = 50;
const MESSAGES = 200;

export function benchDetector(kit, say) {
  say(`${AGENTS} agents with ${FILES} files each ...`);
  const now = 1_000_000;
  const settings = { windowSeconds: 120, warnOnIntentOverlap: true, escalateOnViolation: true };
  const path = (i) => `src/part-${i % 997}/file-${i}.ts`;
  const plans = Array.from({ length: AGENTS }, (_, i) => ({
    agent: `agent-${i}`,
    files: Array.from({ length: FILES }, (_, j) => path(i * FILES + j)),
    owned: [],
    intent: { agent: `agent-${i}`, claims: [path(i * FILES), `lib/${i}/`], summary: "", expiresAt: now * 2 },
  }));
  const times = [];
  let open = [];
  for (let n = 0; n < MESSAGES; n++) {
    const i = (n * 37) % AGENTS;
    // Most of what an agent edits is its own; now and then it is somebody else's.
    const next = path(n % 10 === 0 ? ((i + 1) % AGENTS) * FILES + 7 : AGENTS * FILES + n);
    const before = plans[i];
    const after = { ...before, files: [...before.files.slice(1), next] };
    plans[i] = after;
    const begun = performance.now();
    ({ open } = kit.detect({ before, after, others: plans, open, now }, settings));
    times.push(performance.now() - begun);
  }
  // The baseline: every file of everybody gone through once for one agent's, and nothing remembered.
  const naive = Array.from({ length: 20 }, (_, n) => {
    const mine = new Set(plans[n].files);
    const begun = performance.now();
    let shared = 0;
    for (const each of plans) for (const file of each.files) if (each !== plans[n] && mine.has(file)) shared++;
    const ms = performance.now() - begun;
    return shared < 0 ? 0 : ms;
  });
  return [row(`one message among ${AGENTS} agents × ${FILES} files`, median(times), median(naive), "ms", "≤ 5 ms")];
}

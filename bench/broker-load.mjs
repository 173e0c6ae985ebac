// Parts of `bench broker` about many agents, too many messages, and a long journal.
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { BrokerGround, load } from "./broker-ground.mjs";
import { median, rssMb } from "./ground.mjs";

const Database = createRequire(import.meta.url)("libsql");
const AGENTS = 1_000;
const SECONDS = Number(process.env.SECONDS ?? 60);
const MESSAGES = Number(process.env.MESSAGES ?? 1_000_000);
const RECOVERED_WITHIN_S = 30;

/** A thousand agents, one message a second each, by the limits everybody has. */
export async function agents(say) {
  const ground = new BrokerGround(AGENTS, "");
  await ground.prepare();
  await ground.serve();
  try {
    const before = (await ground.operator("/status")).last_seq;
    let rss = 0;
    const watch = setInterval(() => {
      rss = Math.max(rss, rssMb(ground.child.pid));
    }, 500);
    const options = { connections: AGENTS, seconds: SECONDS, everyMs: 1_000, folder: ground.folder };
    const result = await load(ground.target, options);
    clearInterval(watch);
    const acked = result.codes["202"] ?? 0;
    await ground.end();
    await ground.serve();
    const stored = (await ground.operator("/status")).last_seq - before;
    say(
      `${AGENTS} agents for ${SECONDS} s: ${JSON.stringify(result.codes)}, broken ${result.broken}, stored ${stored}, p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms`,
    );
    return [
      { name: `${AGENTS} agents × 1 msg/s, acknowledged`, ours: acked, unit: "messages" },
      { name: "lost of them after a restart", ours: Math.max(0, acked - stored), unit: "messages", goal: "0" },
      { name: "refused or broken off", ours: result.requests - acked + result.broken, unit: "messages" },
      { name: "p99", ours: result.p99, unit: "ms", goal: "≤ 250 ms" },
      { name: "RSS at most", ours: rss, unit: "MB", goal: "< 512 MB" },
    ];
  } finally {
    await ground.dispose();
  }
}

/** Ten times what each may say: refused with 429 or 503, and as before soon after. */
export async function overload(say) {
  const ground = new BrokerGround(AGENTS, "rate_per_second = 1\nrate_burst = 5\n");
  await ground.prepare();
  await ground.serve();
  try {
    const calm = { connections: 10, seconds: 5, everyMs: 1_000, folder: ground.folder };
    const usual = (await load(ground.target, calm)).p99;
    const storm = { connections: AGENTS, seconds: Math.min(SECONDS, 30), everyMs: 100, folder: ground.folder };
    const result = await load(ground.target, storm);
    const begun = performance.now();
    let after = Number.POSITIVE_INFINITY;
    while (after > Math.max(20, usual * 2) && performance.now() - begun < 2 * RECOVERED_WITHIN_S * 1000) {
      await sleep(500);
      after = (await load(ground.target, { ...calm, seconds: 2 })).p99;
    }
    const seconds = (performance.now() - begun) / 1000;
    const others = Object.entries(result.codes).filter(([code]) => !["202", "429", "503"].includes(code));
    say(
      `overload: ${JSON.stringify(result.codes)}, broken ${result.broken}; p99 ${usual.toFixed(1)} → ${after.toFixed(1)} ms`,
    );
    return [
      { name: "overload: taken in", ours: result.codes["202"] ?? 0, unit: "messages" },
      {
        name: "refused with 429 or 503",
        ours: (result.codes["429"] ?? 0) + (result.codes["503"] ?? 0),
        unit: "messages",
      },
      {
        name: "anything else",
        ours: others.reduce((sum, [, count]) => sum + count, result.broken),
        unit: "messages",
        goal: "0",
      },
      { name: "as before again", ours: seconds, unit: "s", goal: `≤ ${RECOVERED_WITHIN_S} s` },
    ];
  } finally {
    await ground.dispose();
  }
}

/** A long journal costs a start and a look nothing. The baseline is the same with an empty one. */
export async function size(say) {
  const ground = new BrokerGround(AGENTS);
  await ground.prepare();
  try {
    const empty = await measure(ground);
    say(`writing ${MESSAGES} messages ...`);
    fill(ground);
    const full = await measure(ground);
    const line = (name, figure, unit, goal) => ({
      name,
      ours: full[figure],
      baseline: empty[figure],
      ratio: full[figure] / empty[figure],
      unit,
      goal,
    });
    return [
      line(`restart with ${MESSAGES} messages`, "start", "ms", "≤ 2000 ms"),
      line("GET /status", "status", "ms", "≤ 100 ms"),
      line("GET /snapshot", "snapshot", "ms"),
    ];
  } finally {
    await ground.dispose();
  }
}

async function measure(ground) {
  const starts = [];
  const looks = { "/status": [], "/snapshot": [] };
  for (let i = 0; i < 3; i++) {
    starts.push(await ground.serve());
    for (const path of Object.keys(looks)) {
      const begun = performance.now();
      await ground.operator(path);
      looks[path].push(performance.now() - begun);
    }
    await ground.end();
  }
  return { start: median(starts), status: median(looks["/status"]), snapshot: median(looks["/snapshot"]) };
}

/** As a session would have left them: every tenth a broadcast, every tenth a question or block for the supervisor. */
function fill(ground) {
  const db = new Database(ground.journal);
  const [{ head }] = db.prepare("SELECT coalesce(max(seq), 0) AS head FROM messages").all();
  const body = JSON.stringify({
    type: "agent.status",
    agent_id: "agent-1",
    payload: { status: "working", modified_files: ["src/a.ts"], message: "x".repeat(120) },
  }).replaceAll("'", "''");
  db.exec(`
    BEGIN;
    WITH RECURSIVE n(i) AS (SELECT ${head} + 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${head + MESSAGES})
    INSERT INTO messages (seq, id, at, type, sender, recipients, body)
    SELECT i, 'bench-' || i, 1700000000000 + i, CASE i % 10 WHEN 0 THEN 'agent.artifact' WHEN 1 THEN 'agent.blocked' ELSE 'agent.status' END,
      'agent-' || (i % ${AGENTS}), CASE i % 10 WHEN 0 THEN '["*"]' WHEN 1 THEN '["agent-' || (i * 7 % ${AGENTS}) || '","supervisor"]' ELSE '[]' END,
      '${body}' FROM n;
    INSERT INTO inbox (recipient, seq) SELECT '*', seq FROM messages WHERE seq > ${head} AND type = 'agent.artifact';
    INSERT INTO inbox (recipient, seq) SELECT 'supervisor', seq FROM messages WHERE seq > ${head} AND type = 'agent.blocked';
    INSERT INTO inbox (recipient, seq) SELECT 'agent-' || (seq * 7 % ${AGENTS}), seq FROM messages WHERE seq > ${head} AND type = 'agent.blocked';
    COMMIT`);
  db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
  const roster = db.prepare("INSERT OR REPLACE INTO roster (agent, body) VALUES (?, ?)");
  db.exec("BEGIN");
  for (const { id } of ground.agents) {
    const row = { agent: id, branch: null, cli: null, phase: null, lastSeen: 1, files: [], state: "working", since: 1 };
    roster.run(id, JSON.stringify({ ...row, evidence: "x", label: "working", joined: head }));
  }
  db.exec("COMMIT");
  db.close();
}

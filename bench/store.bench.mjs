// Durable commits per second through our Store (a worker thread, group commit), next to libsql called directly.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSources } from "./load.mjs";

const Database = createRequire(import.meta.url)("libsql");
const SINGLE = 2_000;
const BATCHED = 40_000;
const IN_FLIGHT = 64;
const ROUNDS = 3;

export async function bench({ say }) {
  const folder = mkdtempSync(join(tmpdir(), "bm-bench-store-"));
  try {
    const best = { oursSingle: 0, rawSingle: 0, oursBatched: 0, rawBatched: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const raw = openRaw(join(folder, `raw-${round}.db`));
      best.rawSingle = Math.max(
        best.rawSingle,
        perSecond(SINGLE, () => raw.single(SINGLE)),
      );
      best.rawBatched = Math.max(
        best.rawBatched,
        perSecond(BATCHED, () => raw.batched(BATCHED, IN_FLIGHT)),
      );
      raw.close();
      const ours = await openOurs(join(folder, `ours-${round}.db`));
      best.oursSingle = Math.max(best.oursSingle, await perSecondAsync(SINGLE, () => ours.publish(SINGLE, 1)));
      best.oursBatched = Math.max(
        best.oursBatched,
        await perSecondAsync(BATCHED, () => ours.publish(BATCHED, IN_FLIGHT)),
      );
      await ours.close();
      say(
        `round ${round + 1}: ours ${best.oursSingle.toFixed(0)}/s and ${best.oursBatched.toFixed(0)}/s, raw ${best.rawSingle.toFixed(0)}/s and ${best.rawBatched.toFixed(0)}/s`,
      );
    }
    const line = (name, ours, baseline) => ({ name, ours, baseline, ratio: ours / baseline, unit: "commits/s" });
    return [
      line("durable, one at a time", best.oursSingle, best.rawSingle),
      line(`durable, ${IN_FLIGHT} in flight`, best.oursBatched, best.rawBatched),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const BODY = JSON.stringify({
  type: "agent.status",
  agent_id: "feat-a",
  payload: { status: "working", modified_files: ["src/a.ts"], message: "x".repeat(120) },
});

/** The least one can do: one table, one row per message, synchronous=FULL. */
function openRaw(path) {
  const db = new Database(path);
  db.exec("PRAGMA journal_mode = WAL");
  db.exec("PRAGMA synchronous = FULL");
  db.exec("CREATE TABLE messages (seq INTEGER PRIMARY KEY, body TEXT NOT NULL)");
  const insert = db.prepare("INSERT INTO messages (seq, body) VALUES (?, ?)");
  let seq = 0;
  const batched = (count, size) => {
    for (let done = 0; done < count; done += size) {
      db.exec("BEGIN IMMEDIATE");
      for (let i = 0; i < size; i++) insert.run(++seq, BODY);
      db.exec("COMMIT");
    }
  };
  return { single: (count) => batched(count, 1), batched, close: () => db.close() };
}

/** Our Store as the supervisor has it. */
async function openOurs(path) {
  const { openSqliteStore } = await loadSources("store-ground");
  const store = await openSqliteStore({ path, worker: new URL("../dist/sqlite-worker.mjs", import.meta.url) });
  let seq = 0;
  const message = JSON.parse(BODY);
  const roster = {
    agent: "feat-a",
    branch: null,
    cli: null,
    state: "working",
    since: 0,
    evidence: "x",
    phase: null,
    label: "working",
    files: ["src/a.ts"],
    lastSeen: 0,
    joined: 0,
  };
  const one = async () => {
    const put = { seq: ++seq, id: `bench-${seq}`, at: 0, sender: "feat-a", to: [], message, key: null, re: null };
    await store.commit([
      { row: "message", put },
      { row: "roster", put: roster },
    ]);
  };
  return {
    async publish(count, inFlight) {
      let left = count;
      await Promise.all(
        Array.from({ length: inFlight }, async () => {
          while (left-- > 0) await one();
        }),
      );
    },
    close: () => store.close(),
  };
}

function perSecond(count, work) {
  const begun = performance.now();
  work();
  return count / ((performance.now() - begun) / 1000);
}

async function perSecondAsync(count, work) {
  const begun = performance.now();
  await work();
  return count / ((performance.now() - begun) / 1000);
}

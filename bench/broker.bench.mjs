// The broker under load, next to a bare node HTTP server that stores nothing. `--part cpu|agents|overload|size` for one.
import { BrokerGround, load, openBare, requireWrk, settled } from "./broker-ground.mjs";
import { agents, overload, size } from "./broker-load.mjs";
import { median, row } from "./ground.mjs";

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const SECONDS = Number(process.env.SECONDS ?? 8);
const TOKENS = 64;

const PARTS = { cpu, agents, overload, size };

export async function bench({ say, options }) {
  requireWrk();
  const asked = options.flatMap((option, i) => (options[i - 1] === "--part" ? [option] : []));
  const rows = [];
  for (const name of asked.length > 0 ? asked : Object.keys(PARTS)) {
    if (PARTS[name] === undefined) throw new Error(`--part knows ${Object.keys(PARTS).join(", ")}, not ${name}.`);
    rows.push(...(await PARTS[name](say)));
  }
  return rows;
}

/** CPU per durable publish, and the tail of its latency, both sides as fast as they can. Interleaved, medians. */
async function cpu(say) {
  const ground = new BrokerGround(TOKENS);
  await ground.prepare();
  await ground.serve();
  const bare = await openBare(ground.agents);
  try {
    const found = {};
    const measure = async (side, target, connections) => {
      const result = await load(target, { connections, seconds: SECONDS, folder: ground.folder });
      if (result.broken + result.statuses > 0) throw new Error(`not all were taken in: ${JSON.stringify(result)}`);
      const name = `${side} ${connections}`;
      found[name] = [...(found[name] ?? []), result];
      say(
        `${name} connections: ${result.cpuUs.toFixed(1)} µs CPU each, ${result.perSecond.toFixed(0)}/s, p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms`,
      );
      await settled(target.pid);
    };
    for (let round = 0; round < ROUNDS; round++) {
      for (const connections of [64, 500]) {
        await measure("bare", bare, connections);
        await measure("ours", ground.target, connections);
      }
    }
    const of = (side, connections, figure) => median(found[`${side} ${connections}`].map((each) => each[figure]));
    const line = (name, connections, figure, unit, goal) =>
      row(name, of("ours", connections, figure), of("bare", connections, figure), unit, goal);
    return [
      line("CPU per durable publish, 64 connections", 64, "cpuUs", "µs", "≤ 1.6×"),
      line("CPU per durable publish, 500 connections", 500, "cpuUs", "µs", "≤ 1.6×"),
      line("p99, 64 connections", 64, "p99", "ms"),
      line("p99, 500 connections", 500, "p99", "ms", "≤ 1.5×"),
      line("publishes, 64 connections", 64, "perSecond", "/s"),
    ];
  } finally {
    await bare.end();
    await ground.dispose();
  }
}

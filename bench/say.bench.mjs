// What `banksman say status` costs an agent beyond node itself: a durable message per call. Interleaved, medians.
import { BrokerGround } from "./broker-ground.mjs";
import { BIN, median, row } from "./ground.mjs";

const ROUNDS = Number(process.env.ROUNDS ?? 40);

export async function bench({ say }) {
  const ground = new BrokerGround(1);
  await ground.prepare();
  await ground.serve();
  try {
    const [{ id, token }] = ground.agents;
    ground.env = { ...ground.env, BANKSMAN_URL: `${ground.url}/a/${token}`, BANKSMAN_AGENT: id };
    const programs = {
      node: ["-e", "0"],
      status: [BIN, "say", "status", "reading the router"],
      poll: [BIN, "say", "poll"],
    };
    const times = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
    for (let i = 0; i < ROUNDS; i++) {
      for (const [name, args] of Object.entries(programs))
        times[name].push((await ground.time(process.execPath, args)).ms);
    }
    say(`medians of ${ROUNDS} interleaved runs, next to \`node -e 0\``);
    const bare = median(times.node);
    return [
      row("say status", median(times.status), bare, "ms", "≤ 2.0×"),
      row("say poll", median(times.poll), bare, "ms", "≤ 2.0×"),
    ];
  } finally {
    await ground.dispose();
  }
}

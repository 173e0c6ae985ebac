// Twelve branches with dependencies, of which one is red only with another and one conflicts: as a train, and one by one
// (`land.batch = 1`: rebase, gate, land). Our own time is what is left of a landing without the time its gates took.
// Then the order of 500 branches, and scratch set-up with and without what an earlier one left.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Ground, median, row } from "./ground.mjs";
import { loadSources } from "./load.mjs";

/** The suite takes so many seconds besides: a project's own takes longer, and ours must not show beside it. */
const GATE_SECONDS = 5;

export async function bench({ say }) {
  const kit = await loadSources("land-ground");
  const train = await landFleet(kit, "", say);
  const serial = await landFleet(kit, "batch = 1\n", say);
  return [
    row("gate runs: train, one by one", train.gateRuns, serial.gateRuns, "", "≤ 0.65×"),
    row("wall time: train, one by one", train.seconds, serial.seconds, "s"),
    row(`our own time in a train, next to its gates (${GATE_SECONDS} s each)`, train.own, train.gates, "s", "≤ 0.10×"),
    planning(kit, say),
    await setUp(say),
  ];
}

function suite(ground, kit, config) {
  for (const [name, text] of Object.entries(kit.SUITE)) ground.write(name, text);
  // Each run says how long it took: whoever runs it is measured by the rest.
  ground.write(
    "gate.sh",
    `begun=$(date +%s%N)\nsleep ${GATE_SECONDS}\nnode test/all.mjs\ncode=$?\n: > "$TIMES/$(date +%s%N)-$begun"\nexit $code\n`,
  );
  ground.write(
    ".banksman/config.toml",
    `[supervisor]\ntest_command = "sh gate.sh"\n[verify]\nenv = ["TIMES"]\n[land]\n${config}`,
  );
  ground.git("add", "--all");
  ground.git("commit", "-q", "-m", "first");
}

async function landFleet(kit, config, say) {
  const ground = new Ground();
  try {
    const times = join(ground.folder, "times");
    ground.env = { ...ground.env, TIMES: times };
    ground.write("../times/.keep", "");
    rmSync(join(times, ".keep"));
    suite(ground, kit, config);
    for (const { branch, files, contains, blockedBy } of kit.FLEET) {
      ground.git("checkout", "-q", "-b", branch, contains ?? blockedBy ?? "main");
      for (const [name, text] of Object.entries(files)) ground.write(name, text);
      ground.git("add", "--all");
      ground.git("commit", "-q", "-m", branch);
    }
    ground.git("checkout", "-q", "main");
    await ground.bm("trust", "--yes");
    // Two come back, which makes it end with 1: what it printed is what counts.
    const names = kit.FLEET.map(({ branch }) => branch);
    const { out } = await ground.bm("land", ...names, "--yes", "--json").catch(printed);
    const { landed, bounced, gateRuns, seconds } = JSON.parse(out);
    if (landed.length !== 10 || bounced.length !== 2) throw new Error(`10 of 12 should have landed:\n${out}`);
    const gates = readdirSync(times)
      .map((name) => name.split("-").map(Number))
      .reduce((sum, [ended, begun]) => sum + (ended - begun) / 1e9, 0);
    say(
      `${config.trim() || "train"}: ${gateRuns} gate runs, ${seconds.toFixed(1)} s, of which gates ${gates.toFixed(1)} s`,
    );
    return { gateRuns, seconds, gates, own: seconds - gates };
  } finally {
    await ground.dispose();
  }
}

/** What a program printed that did not end with 0. */
const printed = (error) => ({ out: error.message.slice(error.message.indexOf("\n") + 1) });

/** 500 branches, each needing two of those before it, some in cycles, 300 pairs that meet. */
function planning({ planTrain }, say) {
  const names = Array.from({ length: 500 }, (_, i) => `feat/${i}`);
  const needs = Object.fromEntries(
    names.map((name, i) => [
      name,
      i % 50 === 7 ? [names[i + 1]] : i < 3 ? [] : [names[(i * 7) % i], names[(i * 13) % i]],
    ]),
  );
  const meets = Array.from({ length: 300 }, (_, i) => [names[i], names[(i * 31) % 500]]);
  const times = Array.from({ length: 20 }, () => {
    const begun = performance.now();
    planTrain(names, needs, meets, {});
    return performance.now() - begun;
  });
  say(`an order of 500 branches: ${median(times).toFixed(2)} ms`);
  return { name: "planning 500 branches", ours: median(times), unit: "ms", goal: "≤ 100 ms" };
}

/** A set-up of 2,000 files: made at first, brought back then. */
async function setUp(say) {
  const ground = new Ground();
  try {
    ground.write("package-lock.json", "{}\n");
    ground.write(".gitignore", "node_modules\n");
    const make = "mkdir -p node_modules; sleep 2; for i in $(seq 2000); do echo $i > node_modules/$i; done";
    ground.write(
      ".banksman/config.toml",
      `[supervisor]\ntest_command = "test -e node_modules/2000"\n[worktree]\nsetup = ${JSON.stringify(make)}\n`,
    );
    ground.git("add", "--all");
    ground.git("commit", "-q", "-m", "first");
    ground.git("checkout", "-q", "-b", "feat/a");
    ground.write("a", "a\n");
    ground.git("add", "--all");
    ground.git("commit", "-q", "-m", "a");
    ground.git("checkout", "-q", "main");
    await ground.bm("trust", "--yes");
    const took = async (ref) => JSON.parse((await ground.bm("verify", ref, "--json")).out).setUp;
    const [first, then] = [await took("main"), await took("feat/a")];
    say(`set-up: ${first.how} in ${first.seconds} s, then ${then.how} in ${then.seconds} s`);
    return row("scratch set-up, lock file unchanged, next to the first", then.seconds, first.seconds, "s");
  } finally {
    await ground.dispose();
  }
}

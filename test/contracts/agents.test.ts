import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { createAgents } from "../../src/adapters/process/agents.ts";
import type { Dialect } from "../../src/core/clis/dialect.ts";
import type { AgentEvent, Exit } from "../../src/core/clis/events.ts";
import { eventsDialect, plainDialect } from "../../src/core/clis/own-dialects.ts";
import { promptLine } from "../../src/core/clis/transcript.ts";
import type { RunId } from "../../src/core/text/ids.ts";
import type { AgentCli, AgentOrder, LiveAgent } from "../../src/ports/agent-cli.ts";
import { FakeAgents } from "../fakes/fake-agents.ts";

/** The same little programs, as real files and as behaviours of the fake. */
const PROGRAMS = {
  speaker: `const say = (e) => console.log(JSON.stringify(e)); say({type:"session",id:"s1"}); say({type:"text",text:"hi"}); say({type:"permission",request:"r1",text:"may I?",command:"ls"});
    let rest=""; process.stdin.on("data",(d)=>{ rest+=d; for(;;){ const i=rest.indexOf("\\n"); if(i<0) break; const m=JSON.parse(rest.slice(0,i)); rest=rest.slice(i+1);
      if(m.type==="permission"){ say({type:"usage",input:m.allow?1:0,output:2}); }
      if(m.type==="message"){ say({type:"end",how:"ok",message:"heard "+m.text}); setTimeout(()=>process.exit(0),20); } } });`,
  plain: `let text=""; process.stdin.on("data",(d)=>{text+=d}); process.stdin.on("end",()=>{ console.log("got "+text.length); process.exit(Number(process.argv[2]??0)); });`,
  turner: `const say = (e) => console.log(JSON.stringify(e)); say({type:"session",id:"t"});
    let rest=""; process.stdin.on("data",(d)=>{ rest+=d; for(;;){ const i=rest.indexOf("\\n"); if(i<0) break; const m=JSON.parse(rest.slice(0,i)); rest=rest.slice(i+1);
      if(m.type==="prompt"||m.type==="message") say({type:"end",how:"ok",message:"did "+m.text}); } });
    process.stdin.on("end",()=>process.exit(7));`,
  // Two of its tools end at once; then it would stop, were it not told something.
  busy: `const heard=[]; console.log("pausePoint 1\\npausePoint 2"); let rest="";
    process.stdin.on("data",(d)=>{ rest+=d; for(;;){ const i=rest.indexOf("\\n"); if(i<0) break; const line=rest.slice(0,i); rest=rest.slice(i+1);
      if(!line.startsWith("go on ")) continue;
      heard.push(line.slice(6)); if(heard.length===2) console.log("pausePoint 3");
      if(heard.length===3) { console.log(JSON.stringify({type:"end",how:"ok",message:heard.join(", ")})); setTimeout(()=>process.exit(0),20); } } });`,
  limited: `const say = (e) => console.log(JSON.stringify(e)); const retry = {type:"retry",attempt:1,reason:"rate_limit"};
    say(retry); say(retry); say({type:"text",text:"on"}); say({type:"text",text:"and on"}); say({type:"end",how:"ok",message:""});`,
  forever: `setInterval(()=>{},1000); console.log(JSON.stringify({type:"session",id:"f"}));`,
};

const RUN = `bm-agents-test-${process.pid}` as RunId;
let launches = 0;
const folders: string[] = [];
const world: { agents: AgentCli | null } = { agents: null };
afterEach(async () => {
  await world.agents?.endLeftovers(RUN);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function temp(): string {
  const folder = mkdtempSync(join(tmpdir(), "bm-agents-"));
  folders.push(folder);
  return folder;
}

interface Ground {
  readonly agents: AgentCli;
  readonly folder: string;
  argv(program: keyof typeof PROGRAMS, ...args: string[]): string[];
}

function realGround(): Ground {
  const folder = temp();
  for (const [name, code] of Object.entries(PROGRAMS))
    writeFileSync(join(folder, name), `#!${process.execPath}\n${code}\n`, { mode: 0o755 });
  world.agents = createAgents({ PATH: `${folder}:${process.env.PATH}` });
  return { agents: world.agents, folder, argv: (program, ...args) => [join(folder, program), ...args] };
}

function fakeGround(): Ground {
  const agents = new FakeAgents();
  world.agents = agents;
  agents.programs.set("speaker", (stage) => {
    stage.emit({ type: "session", id: "s1" });
    stage.emit({ type: "text", text: "hi" });
    stage.emit({ type: "permission", request: "r1", text: "may I?", command: "ls" });
    stage.onAnswer = (_, allow) =>
      stage.emit({ type: "usage", usage: { input: allow ? 1 : 0, output: 2, cached: 0, cost: null } });
    stage.onTold = (text) => {
      stage.emit({ type: "end", how: "ok", message: `heard ${text}` });
      stage.exit(0);
    };
  });
  agents.programs.set("turner", (stage) => {
    stage.emit({ type: "session", id: "t" });
    stage.emit({ type: "end", how: "ok", message: `did ${stage.order.prompt}` });
    stage.onTold = (text) => stage.emit({ type: "end", how: "ok", message: `did ${text}` });
  });
  agents.programs.set("busy", async (stage) => {
    const heard = [...(await Promise.all([stage.pausePoint(), stage.pausePoint()])), await stage.pausePoint()];
    const message = heard.map((text, i) => `${i + 1} ${text ?? "nothing"}`).join(", ");
    stage.emit({ type: "end", how: "ok", message });
    stage.exit(0);
  });
  agents.programs.set("limited", (stage) => {
    const retry = { type: "retry", attempt: 1, reason: "rate_limit" } as const;
    stage.emit(retry);
    stage.emit(retry);
    for (const text of ["on", "and on"]) stage.emit({ type: "text", text });
    stage.emit({ type: "end", how: "ok", message: "" });
    stage.exit(0);
  });
  agents.programs.set("plain", (stage) => stage.exit(Number(stage.order.argv[1] ?? 0)));
  agents.programs.set("forever", (stage) => stage.emit({ type: "session", id: "f" }));
  return { agents, folder: "/fake", argv: (program, ...args) => [program, ...args] };
}

/** Launches, and records what is heard. */
async function launch(
  ground: Ground,
  argv: readonly string[],
  { speech = eventsDialect(), ...over }: Partial<AgentOrder> & { speech?: Dialect } = {},
) {
  const events: AgentEvent[] = [];
  const exits: Exit[] = [];
  let signs = 0;
  const order: AgentOrder = {
    run: `${RUN}-${++launches}-` as RunId,
    argv,
    speaks: { dialect: speech },
    cwd: ground.folder === "/fake" ? "/" : ground.folder,
    env: { PATH: process.env.PATH ?? "", BANKSMAN_AGENT: "a" },
    prompt: "the brief",
    conversation: null,
    conversationSince: null,
    idleSeconds: null,
    workSeconds: null,
    log: join(ground.folder, "logs/a.log"),
    secrets: ["s3cret"],
    onEvent: (event) => void events.push(event),
    onSign: () => void signs++,
    onExit: (exit) => void exits.push(exit),
    ...over,
  };
  const live = await ground.agents.launch(order);
  return { live, events, exits, signs: () => signs, log: () => readFileSync(order.log, "utf8") };
}

/** Looks until it is so; the time limit is the test's own. */
async function until(so: () => boolean): Promise<void> {
  while (!so()) await sleep(5);
}

const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => "ok",
    (error: { failure?: { kind: string } }) => error.failure?.kind,
  );

describe.each([
  ["fake", fakeGround],
  ["process", realGround],
] as const)("AgentCli (%s)", (_, make) => {
  it("tells that it tries again, once, and what comes first after that", async () => {
    const ground = make();
    const { events, exits } = await launch(ground, ground.argv("limited"));
    await until(() => exits.length === 1);
    expect(events.filter(({ type }) => type !== "end")).toEqual([
      { type: "retry", attempt: 1, reason: "rate_limit" },
      { type: "text", text: "on" },
    ]);
  });
  it("finds programs that are there", async () => {
    const ground = make();
    expect(await ground.agents.find("bm-no-such-program", "/")).toBe(null);
    expect(await ground.agents.find("speaker", "/")).not.toBe(null);
  });

  it("refuses to launch what is not there", async () => {
    expect(await kindOf(launch(make(), ["bm-no-such-program"]))).toBe("cli.not-found");
  });

  it("carries a conversation: events out, answers and messages in, one end", async () => {
    const ground = make();
    const { live, events, exits, signs } = await launch(ground, ground.argv("speaker"));
    await until(() => events.length === 2);
    expect(events).toEqual([
      { type: "session", id: "s1" },
      { type: "permission", request: "r1", text: "may I?", command: "ls" },
    ]);
    expect(live.listens).toBe(true);
    await live.answer("r1", true, "");
    await until(() => events.length === 3);
    await live.tell("you there", "t");
    await until(() => exits.length > 0);
    expect(exits).toMatchObject([{ code: 0, end: { how: "ok", message: "heard you there" }, announces: true }]);
    expect(signs()).toBeGreaterThanOrEqual(3);
    expect(await kindOf(live.answer("r1", true, ""))).toBe("agent.not-running");
    expect(await kindOf(live.tell("anyone", "t"))).toBe("agent.not-running");
  });

  it("is told something in the middle of its turn, one pause point after the other, and never held up by a failure", async () => {
    const ground = make();
    const speech: Dialect = {
      ...eventsDialect(),
      listens: "between-turns",
      hear: (line) =>
        line.startsWith("pausePoint ") ? { events: [], pausePoint: line.slice(11) } : eventsDialect().hear(line),
      goOn: (pausePoint, text) => `go on ${pausePoint} ${text ?? "nothing"}`,
    };
    const waiting = ["a word", null, "failing"];
    let inside = 0;
    const { live, exits } = await launch(ground, ground.argv("busy"), {
      speech,
      onPausePoint: async (give) => {
        expect(++inside).toBe(1);
        const word = waiting.shift() ?? null;
        await sleep(1);
        if (word === "failing") throw new Error("the disk is full");
        if (word !== null) give(word);
        inside--;
      },
    });
    expect(live.listens).toBe(false);
    await until(() => exits.length > 0);
    expect(exits).toMatchObject([{ end: { how: "ok", message: "1 a word, 2 nothing, 3 nothing" } }]);
  });

  it("runs a plain command by its exit code alone", async () => {
    const ground = make();
    const { live, exits } = await launch(ground, ground.argv("plain", "3"), { speech: plainDialect() });
    expect([live.listens, await kindOf(live.tell("x", "t"))]).toEqual([false, "agent.not-running"]);
    await until(() => exits.length > 0);
    expect(exits).toMatchObject([{ code: 3, end: null, announces: false }]);
  });

  it("rests between its turns, takes another one, and goes when it is dismissed, its work being done", async () => {
    const ground = make();
    const speech: Dialect = { ...eventsDialect(), listens: "between-turns" };
    const { live, events, exits } = await launch(ground, ground.argv("turner"), { speech });
    await until(() => live.resting);
    expect([live.listens, events.at(-1)]).toEqual([true, { type: "end", how: "ok", message: "did the brief" }]);
    expect(await live.tell("more", "t")).toBe("submitted");
    await until(() => live.resting);
    await live.dismiss();
    await until(() => exits.length > 0);
    expect(exits).toMatchObject([{ end: { how: "ok", message: "did more" }, dismissed: true, announces: true }]);
  });

  it("ends a process when told to, and says so once", async () => {
    const ground = make();
    const { live, exits, events } = await launch(ground, ground.argv("forever"));
    await until(() => events.length > 0);
    await live.end();
    await until(() => exits.length > 0);
    await live.end();
    expect(exits.length).toBe(1);
    expect(await ground.agents.endLeftovers(RUN)).toBe(0);
  });

  it("ends leftovers by their marker, and nobody else's", async () => {
    const ground = make();
    const { events, exits } = await launch(ground, ground.argv("forever"));
    await until(() => events.length > 0);
    expect(await ground.agents.endLeftovers("bm-somebody-else")).toBe(0);
    expect(await ground.agents.endLeftovers(RUN)).toBeGreaterThan(0);
    await until(() => exits.length > 0);
  });
});

describe("a real agent process", () => {
  const scripted = async (code: string, over: Partial<AgentOrder> & { speech?: Dialect } = {}) => {
    const ground = realGround();
    writeFileSync(join(ground.folder, "agent"), `#!${process.execPath}\n${code}\n`, { mode: 0o755 });
    return { ground, ...(await launch(ground, [join(ground.folder, "agent")], over)) };
  };
  const survivors = (live: LiveAgent) => {
    try {
      process.kill(live.pid, 0);
      return true;
    } catch {
      return false;
    }
  };

  it("gets its brief: as a prompt line, or as all of its input", async () => {
    const ground = realGround();
    const plain = await launch(ground, ground.argv("plain", "0"), { speech: plainDialect() });
    await until(() => plain.exits.length > 0);
    expect(plain.log()).toBe(`${promptLine("the brief")}\ngot 9\n`);
    const { exits, log } = await scripted(
      `process.stdin.once("data",(d)=>{ console.log("line "+d); process.exit(0) })`,
    );
    await until(() => exits.length > 0);
    expect(log()).toContain('line {"type":"prompt","text":"the brief"}');
  });

  it("keeps secrets out of its log, which only the user reads", async () => {
    const { exits, log, ground } = await scripted(
      `console.log("token s3cret"); console.error("err s3cret"); process.exit(0)`,
    );
    await until(() => exits.length > 0);
    expect(log().split("\n").sort()).toEqual(["", "err [redacted]", "token [redacted]", promptLine("the brief")]);
    expect(statSync(join(ground.folder, "logs/a.log")).mode & 0o777).toBe(0o600);
  });

  it("is ended though it ignores being asked, with the daemons it left", async () => {
    const { live, events, ground } = await scripted(
      `process.on("SIGTERM",()=>{}); require("child_process").spawn("sh",["-c","trap '' TERM; sleep 1000"],{detached:true,stdio:"ignore"}).unref(); setInterval(()=>{},1000); console.log(JSON.stringify({type:"session",id:"d"}))`,
    );
    await until(() => events.length > 0);
    await live.end();
    expect([survivors(live), await ground.agents.endLeftovers(RUN)]).toEqual([false, 0]);
  }, 20_000);

  it("leaves nothing running when it ends by itself", async () => {
    const { exits, ground } = await scripted(
      `require("child_process").spawn("sleep",["1000"],{detached:true,stdio:"inherit"}).unref(); process.exit(0)`,
    );
    await until(() => exits.length > 0);
    expect(await ground.agents.endLeftovers(RUN)).toBe(0);
  });

  it("survives garbage, endless lines and 50 MB of output", async () => {
    const { exits, events } = await scripted(
      `process.stdout.write("x".repeat(3e6)+"\\n"); process.stdout.write(Buffer.from([0xff,0xfe,10])); console.log("{not json"); console.log("[1]"); console.log("null");
       for (let i=0;i<500;i++) process.stdout.write("y".repeat(1e5)+"\\n"); console.log(JSON.stringify({type:"session",id:"still here"})); console.log(JSON.stringify({type:"end",how:"ok",message:"m"}));`,
    );
    await until(() => exits.length > 0);
    expect(events).toEqual([{ type: "session", id: "still here" }]);
    expect(exits).toMatchObject([{ code: 0, end: { how: "ok" } }]);
  });

  it("says how it died, with its last words", async () => {
    const { exits } = await scripted(
      `console.error("cannot find \\u001b[31mmodel"); process.kill(process.pid, "SIGKILL")`,
    );
    await until(() => exits.length > 0);
    expect(exits).toMatchObject([{ code: null, signal: "SIGKILL", end: null, lastLine: "cannot find �[31mmodel" }]);
  });

  it("is ended when it is silent for too long, though not while it waits for an answer", async () => {
    const { exits, live, events } = await scripted(
      `console.log(JSON.stringify({type:"permission",request:"r",text:"may I?",command:"ls"})); process.stdin.on("data",()=>{})`,
      { idleSeconds: 0.5 },
    );
    await until(() => events.length > 0);
    await sleep(1_200);
    expect(exits).toEqual([]);
    await live.answer("r", true, "");
    await until(() => exits.length > 0);
    expect(exits).toMatchObject([{ end: { how: "timeout", message: "it gave no sign of life for 0.5 s" } }]);
  });

  it("is ended when it is at work for too long, however much it says", async () => {
    const { exits } = await scripted(`setInterval(()=>console.log("still at it"),50)`, { workSeconds: 0.5 });
    await until(() => exits.length > 0);
    expect(exits).toMatchObject([{ end: { how: "timeout", message: "it was at work for 0.5 s" } }]);
  });

  it("passes every request on: whether to allow it is decided elsewhere", async () => {
    const { exits, events, live } = await scripted(
      `console.log(JSON.stringify({type:"permission",request:"r",text:"x",command:"banksman say status 'at work'"}));
       process.stdin.on("data",(d)=>{ if(String(d).includes('"allow":true')) { console.log(JSON.stringify({type:"end",how:"ok",message:"m"})); process.exit(0); } })`,
    );
    await until(() => events.length > 0);
    expect(events).toMatchObject([{ type: "permission", request: "r" }]);
    await live.answer("r", true, "");
    await until(() => exits.length > 0);
    expect(exits[0]?.end).toEqual({ how: "ok", message: "m" });
  });
});

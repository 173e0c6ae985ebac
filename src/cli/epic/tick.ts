import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { RoleRequest } from "../../core/epic/decide/decided.ts";
import type { Policy } from "../../core/epic/decide/policy.ts";
import { parseSignals, type Signal } from "../../core/epic/decide/signals.ts";
import { Failed } from "../../core/failure/failed.ts";
import { type TickReport, takeTick } from "../../modes/epic/take-tick.ts";
import type { EpicPorts } from "../../ports/epic.ts";
import { ERROR, type Input, type Io, OK, printJson } from "../command.ts";
import { locateEpic } from "./locate.ts";
import { readNow } from "./read-now.ts";

/** `epic tick <epic>`: one decision, and out. */
export async function tickCommand(
  name: string,
  { options }: Input,
  io: Io,
  wired: { ports: EpicPorts; policy: Policy },
): Promise<number> {
  const now = readNow(options.now);
  const ports = now === null ? wired.ports : { ...wired.ports, now: () => now };
  const located = await locateEpic(name, ports.store, io);
  const order = {
    ...located,
    policy: wired.policy,
    signals: await readSignals(options.signals, io),
    verdict: await readVerdict(options.verdict, io),
  };
  const dryRun = options.dryRun === true;
  const report = await takeTick(ports, { ...order, dryRun });
  if (report.next === "corrupt" && !dryRun) {
    if (options.json) printJson(io, report);
    io.err(
      `${located.place} was not touched: ${report.why}.\nCorrect it by hand; docs/guides/epic.md shows the format.\n`,
    );
    return ERROR;
  }
  if (options.json) printJson(io, report);
  else io.out(inWords(report, name, dryRun));
  return OK;
}

async function readSignals(file: unknown, io: Io): Promise<Signal[]> {
  if (typeof file !== "string") return [];
  let value: unknown;
  try {
    value = JSON.parse(await readGiven(file, "--signals", io));
  } catch (error) {
    if (error instanceof Failed) throw error;
    value = null;
  }
  const signals = parseSignals(value);
  if (typeof signals !== "string") return signals;
  const hint =
    'A list like [{"item": "t-1", "kind": "exit", "code": 0, "pr": "https://…"}]; kinds: exit, activity, done, stale.';
  throw new Failed({ kind: "usage", message: `--signals cannot be used: ${signals}.`, hint });
}

const readVerdict = async (file: unknown, io: Io): Promise<string | null> =>
  typeof file === "string" ? readGiven(file, "--verdict", io) : null;

const MOST_BYTES = 8 * 1024 * 1024;

/** `-` is standard input. */
async function readGiven(file: string, flag: string, io: Io): Promise<string> {
  try {
    const bytes = file === "-" ? await readInput() : await readFile(resolve(io.cwd, file));
    if (bytes.length <= MOST_BYTES) return bytes.toString("utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Failed({
      kind: "usage",
      message:
        code === "ENOENT"
          ? `The file ${file} (${flag}) does not exist.`
          : `The file ${file} (${flag}) cannot be read: ${message}.`,
      hint: "Give the path of a file, or - for standard input.",
    });
  }
  throw new Failed({
    kind: "usage",
    message: `The file ${file} (${flag}) is longer than 8 MB.`,
    hint: "Give it something shorter.",
  });
}

async function readInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MOST_BYTES) break;
  }
  return Buffer.concat(chunks);
}

function inWords(report: TickReport, name: string, dryRun: boolean): string {
  const { next, row, role, brief, status, effects, why } = report;
  const lines: string[] = [];
  if (next === "noop") lines.push(`Nothing to do: ${why ?? "nothing has happened"}.`);
  if (next === "corrupt") lines.push(`Corrupt: ${why}.`);
  if (next === "ask" && role !== undefined)
    lines.push(
      `The ${role} is needed: ${JSON.stringify(brief)}`,
      `Answer for it: \`banksman epic tick ${name} --verdict <file>\`, - for standard input, with one JSON object:`,
      ...shapesFor(role, brief).map((shape) => `  ${shape}`),
    );
  if (row !== undefined) lines.push(`${row.class}: ${row.decision}${row.notes === "" ? "" : ` (${row.notes})`}`);
  if (next === "applied" && row === undefined) lines.push("The file was brought up to date.");
  for (const effect of effects) if (effect.kind === "notify") lines.push(effect.text);
  if (status !== "") lines.push(`status: ${status}${dryRun ? " (a dry run: nothing was written)" : ""}`);
  return `${lines.join("\n")}\n`;
}

/** What may be answered, for a person who plays the role. */
function shapesFor(role: RoleRequest["role"], brief: RoleRequest["brief"] | undefined): readonly string[] {
  if (role === "verifier")
    return ['{"verdict":"PASS"}', '{"verdict":"FAIL","reason":"…"}', '{"verdict":"REVISE","reason":"…"}'];
  if (role === "critic")
    return ["SAFE_TO_DISPATCH", "NEEDS_REFINEMENT", "DO_NOT_DISPATCH"].map(
      (each) => `{"verdict":"${each}","reason":"…"}`,
    );
  if (brief !== undefined && "role" in brief && brief.role === "decompose")
    return ['{"action":"decompose","items":[{"title":"…","body":"…"},{"title":"…","body":"…","depends":["$1"]}]}'];
  return [
    '{"action":"dispatch","task_id":"…","worker":"…"}',
    '{"action":"file_fix_task","parent":"…","title":"…","body":"…"}',
    '{"action":"ask","task_id":"…","question":"…","options":["…","…"]}',
    '{"action":"halt","status":"review","reason":"…"}',
  ];
}

import { afterAll, describe, expect, it } from "vitest";
import { DOCUMENTS } from "./documents.ts";
import { GATES } from "./gates.ts";
import { GIT } from "./git.ts";
import { costOf, type Growth, growthOf, SIZES } from "./measure.ts";
import { MESSAGES } from "./messages.ts";
import type { Parser } from "./parser.ts";
import { POLICY } from "./policy.ts";
import { SCREENS } from "./screens.ts";
import { repeated, type Shape, UNITS } from "./shapes.ts";
import { STREAMS } from "./streams.ts";
import { TEXT } from "./text.ts";

const PARSERS: readonly Parser[] = [
  ...TEXT,
  ...SCREENS,
  ...MESSAGES,
  ...DOCUMENTS,
  ...STREAMS,
  ...GIT,
  ...GATES,
  ...POLICY,
];
/** So many of the units that took longest at 10 kB are tried at full size; a parser's own shapes always are. */
const WORST = 4;
/** GROWTH=all prints every shape; otherwise the slowest of each parser. */
const ALL = process.env.GROWTH === "all";

const rows: string[] = [];

describe("what is read from outside takes time in proportion to its size", () => {
  it.each(PARSERS.map((parser) => [parser.name, parser] as const))(
    "%s",
    async (_, parser) => {
      const own = Object.entries(parser.shapes ?? {});
      const tried: { readonly shown: string; readonly growth: Growth }[] = [];
      for (const [name, shape] of [...own, ...(await worst(parser))]) {
        const growth = await growthOf(parser.run, shape);
        tried.push({ shown: row(parser.name, name, growth), growth });
      }
      const slowest = tried.sort((a, b) => last(b.growth) - last(a.growth));
      rows.push(...(ALL ? slowest : slowest.slice(0, 1)).map(({ shown }) => shown));
      expect(tried.filter(({ growth }) => !growth.linear).map(({ shown }) => shown)).toEqual([]);
    },
    120_000,
  );
});

afterAll(() => {
  const head = row("parser", "shape", { times: [], linear: true }, ["10 kB", "100 kB", "1 MB"]);
  process.stdout.write(`\n${[head, ...rows].join("\n")}\n`);
});

/** Each unit behind each beginning, and before one of the ends in turn: all pairs would take minutes. */
function generic({ begins = [], ends = [] }: Parser): [string, Shape][] {
  const closings = ["", ...ends];
  return ["", ...begins].flatMap((begin, b) =>
    UNITS.map((unit, u): [string, Shape] => {
      const end = closings[(b + u) % closings.length] ?? "";
      return [JSON.stringify(`${begin}(${unit})*${end}`), repeated(unit, begin, end)];
    }),
  );
}

const last = ({ times }: Growth): number => times.at(-1) ?? 0;

async function worst(parser: Parser): Promise<[string, Shape][]> {
  const tried: [string, Shape, number][] = [];
  for (const [name, shape] of generic(parser)) tried.push([name, shape, await costOf(parser.run, shape(SIZES[0]))]);
  const slowest = tried.sort(([, , a], [, , b]) => b - a).slice(0, WORST);
  return slowest.map(([name, shape]) => [name, shape]);
}

function row(
  parser: string,
  shape: string,
  { times }: Growth,
  cells = times.map((each) => `${each.toFixed(1)} ms`),
): string {
  return `${parser.padEnd(34)} ${shape.slice(0, 60).padEnd(60)} ${cells.map((each) => each.padStart(10)).join(" ")}`;
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { decide } from "../../src/core/policy/decide.ts";
import { bashWords, ourWords, wordScript } from "../policy/bash-words.ts";
import { CORPUS } from "../policy/corpus.ts";
import { GROUND } from "../policy/ground.ts";
import { BROKEN, mutants, seeded } from "../policy/mutate.ts";

/** `npm run fuzz:policy` gives it minutes, and another seed each time. */
const MINUTES = Number(process.env.POLICY_MINUTES ?? 0);
const SEED = Number(process.env.SEED ?? (MINUTES > 0 ? Date.now() % 1e9 : 1));
const SCRIPTS = 400;
const ROUNDS = 10;

const folder = mkdtempSync(join(tmpdir(), "bm-words-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** So many rounds, or as many as there is time for. */
function rounds(most: number, work: (round: number) => void): number {
  const end = Date.now() + (MINUTES * 60_000) / 2;
  let round = 0;
  while (MINUTES > 0 ? Date.now() < end : round < most) work(round++);
  return round;
}

describe(`words of a command (SEED=${SEED})`, () => {
  it(
    "are those that bash gives to the program, or are not taken for known",
    () => {
      const pick = seeded(SEED);
      let known = 0;
      const done = rounds(ROUNDS, () => {
        const scripts = Array.from({ length: SCRIPTS }, () => wordScript(pick));
        const ours = scripts.flatMap((script) => {
          const words = ourWords(script);
          return words === null ? [] : [{ script, words }];
        });
        const theirs = bashWords(
          ours.map(({ script }) => script),
          folder,
        );
        expect(ours.map(({ script, words }) => [script, words])).toEqual(
          ours.map(({ script }, i) => [script, theirs[i]]),
        );
        known += ours.length;
      });
      // It would prove nothing if next to nothing were known.
      expect(known).toBeGreaterThan(done * SCRIPTS * 0.05);
      process.stdout.write(`${done * SCRIPTS} scripts, ${known} with words that are known\n`);
    },
    (MINUTES + 1) * 60_000,
  );

  it(
    "that are written in another way are not approved where they were not",
    () => {
      const refused = CORPUS.filter(([decision, rule]) => decision !== "approve" && !BROKEN.has(rule));
      const done = rounds(1, (round) => {
        const wrong = refused.flatMap(([, , command], i) =>
          mutants(command, 20, SEED + round * 10_000 + i).filter((each) => decide(each, GROUND).decision === "approve"),
        );
        expect(wrong).toEqual([]);
      });
      process.stdout.write(`${done * refused.length * 20} mutants\n`);
    },
    (MINUTES + 1) * 60_000,
  );
});

import type { CommandNode, Pipeline } from "unbash";
import { deny, type Judgement } from "../decision.ts";

const FROM_NETWORK = /(^|\/)(curl|wget|http|https|fetch|nc|ncat|aria2c)$/;
const RUNS_INPUT =
  /(^|\/)(ba|z|da|k|fi)?sh$|(^|\/)(python[\d.]*|node|deno|bun|perl|ruby|php|sudo|env|xargs|eval|source)$/;

/** A pipe that runs what comes from the network. */
export function judgePipe({ commands }: Pipeline): Judgement | null {
  const names = commands.map(nameOf);
  const from = names.findIndex((name) => FROM_NETWORK.test(name));
  if (from < 0 || !names.slice(from + 1).some((name) => RUNS_INPUT.test(name))) return null;
  return deny("network.run", "It runs what it gets from the network.");
}

const nameOf = (node: CommandNode): string => (node.type === "Command" ? (node.name?.value ?? "") : "");

import * as z from "zod/mini";
import { lessIsNarrower, type Row, whole, widens } from "./row.ts";

/** Messages: how many, how fast, how long they are kept. */
export const BROKER_ROWS = [
  {
    key: "broker.enabled",
    type: z.boolean(),
    default: true,
    help: "Whether agents can send and get messages. With false they have no URL, hear nothing from you or each other, and a tmux session has no dashboard pane.",
    guarded: "harmless",
  },
  {
    key: "broker.port",
    type: whole(1_024, 65_535),
    help: "The port of the background process on 127.0.0.1. Default: a free port, chosen once and kept.",
    example: 9119,
    guarded: "harmless",
  },
  {
    key: "broker.watcher.republish_working_ttl_seconds",
    type: whole(0, 86_400),
    default: 60,
    help: "Seconds after a commit in which an agent that reports `working` is shown as working. Later it stays committed until files change or it says more. 0: never.",
    guarded: "harmless",
  },
  {
    key: "broker.rate_per_second",
    type: whole(1, 100_000),
    default: 20,
    help: "Messages per second each agent may publish on average.",
    guarded: lessIsNarrower,
  },
  {
    key: "broker.rate_burst",
    type: whole(1, 1_000_000),
    default: 100,
    help: "Messages an agent may publish at once.",
    guarded: lessIsNarrower,
  },
  {
    key: "broker.keep_messages",
    type: whole(1_000, 1_000_000_000),
    default: 1_000_000,
    help: "How many of the newest messages the log keeps, and of settled effects, up to 10,000. Unread messages of the session's agents are always kept.",
    guarded: widens,
  },
  {
    key: "broker.keep_days",
    type: whole(1, 36_500),
    default: 90,
    help: "How many days a message is kept. Unread messages of the session's agents are always kept.",
    guarded: widens,
  },
] as const satisfies readonly Row[];

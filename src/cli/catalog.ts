import type { Command } from "./command.ts";

/** Every command, by name, loaded only when it is used. The order is that of `--help`. */
export const COMMANDS: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  start: () => import("./commands/start.ts"),
  add: () => import("./commands/add.ts"),
  remove: () => import("./commands/remove.ts"),
  stop: () => import("./commands/stop.ts"),
  purge: () => import("./commands/purge.ts"),
  restore: () => import("./commands/restore.ts"),
  attach: () => import("./commands/attach.ts"),
  status: () => import("./commands/status.ts"),
  agents: () => import("./commands/agents.ts"),
  watch: () => import("./commands/watch.ts"),
  questions: () => import("./commands/questions.ts"),
  answer: () => import("./commands/answer.ts"),
  tell: () => import("./commands/tell.ts"),
  inbox: () => import("./commands/inbox.ts"),
  console: () => import("./commands/console.ts"),
  peek: () => import("./commands/peek.ts"),
  log: () => import("./commands/log.ts"),
  say: () => import("./commands/say.ts"),
  init: () => import("./commands/init.ts"),
  trust: () => import("./commands/trust.ts"),
  serve: () => import("./commands/serve.ts"),
  demo: () => import("./commands/demo.ts"),
};

import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { Failed } from "../../core/failure/failed.ts";
import type { Watcher, WatchOrder } from "../../ports/watcher.ts";
import type { Ask, Word } from "./words.ts";

/** How often it is asked whether it is there, and how long it may take to say so. */
const PATIENCE = { pingMs: 5_000, silenceMs: 15_000 };
/** One that ends again and again is left alone for a while. */
const MOST_ENDS = 3;
const LEFT_ALONE_MS = 60_000;

/**
 * Watches in a process of its own, made anew when it ends or falls silent: @parcel/watcher 2.6.0 was seen to lock itself
 * up for ever when folders vanish while it begins to watch them, and with it whoever had loaded it. `command` starts it.
 */
export function createWatcher(command: () => Promise<readonly string[]>, patience = PATIENCE): Watcher {
  const ended: number[] = [];
  let hand: Promise<Hand> | null = null;
  return {
    async watch(order) {
      const refused = (detail: string) => new Failed({ kind: "watch.refused", folder: order.folder, detail });
      const recent = ended.filter((at) => performance.now() - at < LEFT_ALONE_MS);
      if (hand === null && recent.length >= MOST_ENDS) throw refused("the process that watches keeps ending");
      hand ??= command().then(
        (argv) =>
          new Hand(argv, patience, () => {
            hand = null;
            ended.splice(0, ended.length, ...recent, performance.now());
          }),
      );
      const mine = await hand;
      return mine.watch(order, refused);
    },
  };
}

interface Waiting {
  resolve(): void;
  reject(error: Failed): void;
  refused(detail: string): Failed;
}

/** One such process, and what was asked of it. */
class Hand {
  private readonly child: ChildProcess;
  private readonly orders = new Map<number, WatchOrder>();
  private readonly waiting = new Map<number, Waiting>();
  private readonly ending = new Map<number, () => void>();
  private readonly pings: NodeJS.Timeout;
  private heard = performance.now();
  private last = 0;
  private over = false;

  constructor(
    [program = "", ...args]: readonly string[],
    private readonly patience: typeof PATIENCE,
    private readonly onEnd: () => void,
  ) {
    this.child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"] });
    this.child.once("error", () => this.lose("the process that watches could not be started"));
    this.child.once("exit", () => this.lose("the process that watches has ended"));
    this.child.stdin?.on("error", () => undefined);
    // It lives as long as we do, and keeps nobody alive.
    this.child.unref();
    for (const pipe of [this.child.stdin, this.child.stdout]) (pipe as Socket | null)?.unref();
    if (this.child.stdout) createInterface({ input: this.child.stdout }).on("line", (line) => this.hear(line));
    this.pings = setInterval(() => this.ping(), patience.pingMs).unref();
  }

  watch(order: WatchOrder, refused: Waiting["refused"]): Promise<() => Promise<void>> {
    const id = ++this.last;
    this.orders.set(id, order);
    return new Promise((resolve, reject) => {
      if (this.over) return reject(refused("the process that watches has ended"));
      this.waiting.set(id, { resolve: () => resolve(() => this.end(id)), reject, refused });
      this.ask({ do: "watch", id, folder: order.folder, ignore: order.ignore });
    });
  }

  private end(id: number): Promise<void> {
    this.orders.delete(id);
    if (this.over) return Promise.resolve();
    return new Promise((resolve) => {
      this.ending.set(id, resolve);
      this.ask({ do: "end", id });
    });
  }

  private ask(ask: Ask): void {
    this.child.stdin?.write(`${JSON.stringify(ask)}\n`);
  }

  private ping(): void {
    if (performance.now() - this.heard > this.patience.silenceMs)
      return this.lose("the process that watches has fallen silent");
    this.ask({ do: "ping" });
  }

  private hear(line: string): void {
    this.heard = performance.now();
    const word = JSON.parse(line) as Word;
    if (word.say === "pong") return;
    const { id } = word;
    if (word.say === "changed") return this.orders.get(id)?.onChanged(word.paths);
    if (word.say === "lost") return this.orders.get(id)?.onLost(word.detail);
    if (word.say === "ended") this.ending.get(id)?.();
    const asked = this.waiting.get(id);
    this.waiting.delete(id);
    if (word.say === "watching") asked?.resolve();
    if (word.say !== "refused") return;
    this.orders.delete(id);
    asked?.reject(asked.refused(word.detail));
  }

  /** Whoever watched by it hears so, and watches anew. */
  private lose(detail: string): void {
    if (this.over) return;
    this.over = true;
    clearInterval(this.pings);
    this.child.kill("SIGKILL");
    this.onEnd();
    for (const { reject, refused } of this.waiting.values()) reject(refused(detail));
    for (const id of this.waiting.keys()) this.orders.delete(id);
    for (const resolve of this.ending.values()) resolve();
    for (const { onLost } of this.orders.values()) onLost(detail);
    this.orders.clear();
  }
}

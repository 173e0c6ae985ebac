import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import colors from "picocolors";
import { Failed } from "../../core/failure/failed.ts";
import type { Snapshot } from "../../core/views/snapshot.ts";
import type { ScriptStep } from "../../scripted-agent/script.ts";
import type { Io } from "../command.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { built } from "../wire/wire-ports.ts";

const PATIENCE_MS = 180_000;

/** One part of the demo: a title, and what happens. It works through the program's own commands, as a person would. */
export interface Chapter {
  readonly title: string;
  play(stage: DemoStage): Promise<void>;
}

/** A folder of its own with a repository in it; nothing of the user's is touched. */
export class DemoStage {
  readonly folder = temporaryFolder("demo");
  readonly root = join(this.folder, "greenhouse");
  readonly socket = join(this.folder, "tmux");
  readonly env: NodeJS.ProcessEnv;

  constructor(
    private readonly io: Io,
    /** In a tmux server of the demo's own. */
    readonly inTmux: boolean,
    /** How long one program may take; 0 is without limit. */
    private readonly limitMs = 0,
  ) {
    this.env = {
      ...io.env,
      BANKSMAN_STATE_DIR: join(this.folder, "state"),
      BANKSMAN_SCRIPTS: join(this.folder, "scripts"),
      XDG_CACHE_HOME: join(this.folder, "cache"),
      BANKSMAN_TMUX_SOCKET: this.socket,
      ...identity("Demo", "demo@localhost"),
      NO_COLOR: io.terminal ? "" : "1",
    };
    if (io.terminal) delete this.env.NO_COLOR;
    const shim = `#!/bin/sh\nBANKSMAN_STATE_DIR='${this.env.BANKSMAN_STATE_DIR}' BANKSMAN_SCRIPTS='${this.env.BANKSMAN_SCRIPTS}' BANKSMAN_TMUX_SOCKET='${this.env.BANKSMAN_TMUX_SOCKET}' XDG_CACHE_HOME='${this.env.XDG_CACHE_HOME}' exec '${process.execPath}' '${built("bin.cjs")}' "$@"\n`;
    this.write("../bm", shim);
    chmodSync(join(this.folder, "bm"), 0o755);
  }

  say(text: string): void {
    this.io.out(`${text}\n`);
  }

  heading(text: string): void {
    this.io.out(`\n${colors.bold(`── ${text} `)}${colors.dim("─".repeat(Math.max(4, 70 - text.length)))}\n`);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.root, name)), { recursive: true });
    writeFileSync(join(this.root, name), text);
  }

  script(agent: string, steps: readonly ScriptStep[]): void {
    this.write(`../scripts/${agent}.json`, JSON.stringify(steps, null, 2));
  }

  /** The session, in tmux where there is one. */
  start = (...args: string[]): Promise<void> => this.show("start", ...(this.inTmux ? [] : ["--headless"]), ...args);

  git(...args: string[]): Promise<string> {
    return this.program("git", args, this.root);
  }

  /** Runs a command of ours where everybody can see it. */
  async show(...args: string[]): Promise<void> {
    this.io.out(
      colors.cyan(`$ banksman ${args.map((arg) => (/^[\w./,@=-]+$/.test(arg) ? arg : `"${arg}"`)).join(" ")}\n`),
    );
    this.io.out(await this.banksman(...args));
  }

  banksman(...args: string[]): Promise<string> {
    return this.program(process.execPath, [built("bin.cjs"), ...args], this.root);
  }

  async snapshot(): Promise<Snapshot> {
    return JSON.parse(await this.banksman("status", "--json")) as Snapshot;
  }

  /** Follows the session live, one line per change, until it is so. */
  async watch(so: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
    const shown = new Map<string, string>();
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      if (performance.now() > deadline)
        throw new Failed({
          kind: "usage",
          message: "The demo waited three minutes for something that did not come.",
          hint: `Look around in ${this.root}, and tell us what was printed.`,
        });
      const snapshot = await this.snapshot();
      for (const { id, state, phase, evidence } of snapshot.agents) {
        const line = `${id.padEnd(14)} ${state.padEnd(9)} ${phase ?? evidence}`;
        if (shown.get(id) !== line) this.io.out(`  ${colors.dim(line)}\n`);
        shown.set(id, line);
      }
      if (so(snapshot)) return snapshot;
      await sleep(100);
    }
  }

  /** What a program prints; its output too, if it fails. */
  program(file: string, args: readonly string[], cwd: string): Promise<string> {
    return new Promise((resolve, reject) => {
      execFile(
        file,
        args,
        { cwd, env: this.env, maxBuffer: 16 * 1024 * 1024, timeout: this.limitMs },
        (error, out, err) => {
          if (error === null) resolve(out);
          else if (error.killed)
            reject(new Error(`${file} ${args.join(" ")} took longer than ${this.limitMs / 1000} s`));
          else reject(new Error(`${file} ${args.join(" ")}\n${out}${err}`));
        },
      );
    });
  }
}

const identity = (name: string, email: string) => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: email,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: email,
});

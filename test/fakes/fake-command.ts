import type { Command, CommandOrder, CommandResult } from "../../src/ports/command.ts";

const ENDED: CommandResult = {
  code: null,
  timedOut: false,
  killedBy: "SIGKILL",
  stdout: Buffer.alloc(0),
  stderr: "killed by SIGKILL",
};

/** Knows a few programs, and does what they do: enough for a shell's true, false, echo, cat and sleep. */
export class FakeCommand implements Command {
  readonly ran: CommandOrder[] = [];
  readonly logs = new Map<string, string>();

  async run(order: CommandOrder): Promise<CommandResult> {
    this.ran.push(order);
    const result = order.signal?.aborted ? ENDED : this.behave(order);
    order.onOutput?.(result.stdout);
    order.onOutput?.(Buffer.from(result.stderr));
    if (order.log !== undefined)
      this.logs.set(
        order.log,
        (this.logs.get(order.log) ?? "") + Buffer.from(result.stdout).toString() + result.stderr,
      );
    return result;
  }

  private behave({ argv, input, timeoutMs }: CommandOrder): CommandResult {
    const [program = "", ...args] = argv[0] === "sh" ? (argv[2] ?? "").split(" ") : argv;
    const done = (code: number | null, stdout: string | Uint8Array = "", stderr = "", timedOut = false) => ({
      code,
      timedOut,
      stdout: Buffer.from(stdout as string),
      stderr,
    });
    if (program === "true") return done(0);
    if (program === "false") return done(1);
    if (program === "echo") return done(0, `${args.join(" ")}\n`);
    if (program === "cat") return done(0, input ?? "");
    if (program === "sleep") return Number(args[0]) * 1000 > timeoutMs ? done(null, "", "", true) : done(0);
    return argv[0] === "sh" ? done(127, "", `sh: ${program}: not found`) : done(null, "", `spawn ${program} ENOENT`);
  }
}

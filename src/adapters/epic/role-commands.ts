import { agentEnvironment, type Environment } from "../../core/clis/environment.ts";
import { ROLE_PROMPTS, writeRolePrompt } from "../../core/epic/decide/role-prompt.ts";
import type { RoleAnswer } from "../../core/epic/decide/tick.ts";
import type { Command } from "../../ports/command.ts";
import type { Roles } from "../../ports/epic.ts";
import type { Files } from "../../ports/files.ts";

interface Places {
  readonly root: string;
  readonly files: Pick<Files, "readInside">;
  readonly env: Environment;
  readonly roles: ReadonlyMap<string, Role>;
  /** For roles a coding CLI plays. */
  askCli(cli: string, role: string, prompt: string, timeoutSeconds: number): Promise<RoleAnswer>;
}

interface Role {
  readonly command: readonly string[] | null;
  readonly cli: string | null;
  readonly timeoutSeconds: number;
}

const MOST_BYTES = 1024 * 1024;

/** Roles played by programs: prompt and brief on standard input, the answer on standard output. */
export const createRoleCommands = (command: Command, { root, files, env, roles, askCli }: Places): Roles => ({
  async ask(request, epic): Promise<RoleAnswer> {
    const role = roles.get(request.role);
    if (role === undefined) return { person: true };
    const own = await files.readInside(root, `.banksman/roles/${request.role}.md`);
    const prompt = writeRolePrompt(own ?? ROLE_PROMPTS[request.role], request, epic);
    return playRole(command, { root, env, askCli }, request.role, role, prompt);
  },
});

/** One question to whoever plays a role: prompt on standard input, answer on standard output. Never rejects. */
export async function playRole(
  command: Command,
  { root, env, askCli }: Pick<Places, "root" | "env" | "askCli">,
  name: string,
  role: Role,
  prompt: string,
): Promise<RoleAnswer> {
  if (role.command === null) return askCli(role.cli ?? "", name, prompt, role.timeoutSeconds);
  const ran = await command.run({
    argv: role.command,
    cwd: root,
    env: agentEnvironment(env, ["BANKSMAN_SCRIPTS"], { BANKSMAN_ROLE: name }),
    timeoutMs: role.timeoutSeconds * 1000,
    input: prompt,
  });
  if (ran.timedOut) return { failed: `no answer in ${role.timeoutSeconds} s` };
  if (ran.code !== 0) return { failed: `exit code ${ran.code}: ${ran.stderr.trim().split("\n").at(-1) ?? ""}` };
  if (ran.stdout.length > MOST_BYTES) return { failed: "more than 1 MB" };
  return { said: Buffer.from(ran.stdout).toString("utf8") };
}

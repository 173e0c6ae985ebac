import type { PolicyContext } from "../../core/policy/context.ts";

/** Folders of a home or a checkout that say what coding CLIs may do. */
export const settingsFolders = (folder: string): string[] =>
  [".claude", ".codex", ".gemini", ".config/opencode", ".pi", ".qwen", ".copilot"].map((name) => `${folder}/${name}`);

/**
 * What an agent gets at launch: its port, its folder for temporary files, its URL. Where nobody has launched us, others stand
 * for them, so that what is said of a command is what an agent would hear.
 */
export function atLaunch(
  env: NodeJS.ProcessEnv,
): Pick<PolicyContext, "temp" | "port" | "broker" | "sandbox" | "hosts" | "mcpTools"> {
  const isAgent = env.BANKSMAN_AGENT !== undefined && env.BANKSMAN_AGENT !== "";
  const port = Number(env.PORT);
  return {
    temp: isAgent && env.TMPDIR ? env.TMPDIR.replace(/(?<=.)\/+$/, "") : "/tmp/banksman-agent",
    port: isAgent && Number.isInteger(port) && port > 0 ? port : 41_000,
    broker: env.BANKSMAN_URL || null,
    sandbox: false,
    hosts: [],
    mcpTools: [],
  };
}

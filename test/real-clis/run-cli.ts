import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GIT_ENV } from "../git-repository.ts";
import { homeFor, MODEL } from "./homes.ts";
import { binOf, type CliName } from "./pinned.ts";

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * One prompt, headless and allowed everything, in `cwd`: with a scratch home, an environment of nothing but what it
 * needs, and no standard input. Ends with the CLI; whatever it leaves running in its group is ended too.
 */
export async function runCli(cli: CliName, prompt: string, cwd: string, url: string): Promise<Ran> {
  const home = mkdtempSync(join(tmpdir(), `bm-home-${cli}-`));
  const env = { ...GIT_ENV, ...homeFor(cli, url, home) };
  const child = spawn(binOf(cli), headless(cli, prompt), {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const texts = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("exit", resolve);
    });
    endGroup(child.pid);
    const [out, err] = await texts;
    return { code, out, err };
  } finally {
    endGroup(child.pid);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

function headless(cli: CliName, prompt: string): readonly string[] {
  switch (cli) {
    case "claude":
      return ["-p", prompt, "--output-format", "stream-json", "--verbose", "--allowedTools", "Bash,Write"];
    case "pi":
      return ["--mode", "json", "--provider", "fake", "--model", MODEL.others, "-p", prompt];
    case "codex":
      // Its sandbox lets nobody write to .git, so nothing could be committed in it.
      return ["exec", "--json", "-s", "danger-full-access", prompt];
    case "gemini":
      return ["-p", prompt, "-o", "stream-json", "--approval-mode", "yolo", "-m", MODEL.gemini];
    case "opencode":
      return ["run", "--format", "json", prompt];
    case "qwen":
      return ["--auth-type", "openai", "-p", prompt, "-o", "stream-json", "--approval-mode", "yolo"];
    case "copilot":
      return ["-p", prompt, "--output-format", "json", "--allow-all-tools", "--allow-all-paths"];
    case "codex-acp":
      throw new Error("codex-acp has no headless mode: it is codex behind a protocol");
  }
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing is left of it.
  }
}

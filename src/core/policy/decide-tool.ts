import type { PolicyContext } from "./context.ts";
import { decide } from "./decide.ts";
import { approve, ask, type Decision, type Judgement, worst } from "./decision.ts";
import { judgePath } from "./paths/judge-path.ts";
import { normalize } from "./paths/normalize.ts";
import { hostOf } from "./programs/own-address.ts";
import { settle } from "./settle.ts";

/** What a coding CLI asks permission for, whatever it calls its tools. */
export type ToolUse =
  | { readonly tool: "command"; readonly command: string; readonly leavesSandbox?: boolean }
  | { readonly tool: "edit"; readonly paths: readonly string[] }
  | { readonly tool: "read"; readonly paths: readonly string[] }
  | { readonly tool: "fetch"; readonly url: string }
  | { readonly tool: "mcp"; readonly server: string; readonly name: string }
  | { readonly tool: "other"; readonly name: string };

/** Whether an agent may use a tool of its CLI: a command as `decide` says, everything else by what it names. */
export function decideTool(use: ToolUse, context: PolicyContext): Decision {
  if (context.level === "off") return ask("level.off", "Nothing is answered here: approval_level is off.");
  if (use.tool === "command") {
    if (use.leavesSandbox) return ask("tool.sandbox", "It asks to run outside of the sandbox.");
    return decide(use.command, context);
  }
  const { decision, rule, why } = settle(judgeUse(use, context), context);
  return { decision, rule, why };
}

function judgeUse(use: Exclude<ToolUse, { tool: "command" }>, context: PolicyContext): Judgement {
  switch (use.tool) {
    case "edit":
      return judgePaths(use.paths, "write", approve("tool.edit", "change", "It edits files of the worktree."), context);
    case "read":
      return judgePaths(use.paths, "read", approve("tool.read", "read", "It reads files of the worktree."), context);
    case "fetch": {
      const host = hostOf(use.url);
      return host !== null && context.hosts.includes(host)
        ? approve("tool.fetch", "read", `It reads from ${host}, which is listed.`)
        : ask("tool.fetch.host", "It reads from a host that is not listed.");
    }
    case "mcp": {
      const name = `${use.server}.${use.name}`;
      return context.mcpTools.includes(name)
        ? approve("tool.mcp", "change", `The MCP tool ${name} is listed.`)
        : ask("tool.mcp.unlisted", `The MCP tool ${JSON.stringify(name)} is not listed.`);
    }
    case "other":
      return ask("tool.unknown", `The tool ${JSON.stringify(use.name)} is not one that banksman knows.`);
  }
}

function judgePaths(
  paths: readonly string[],
  how: "read" | "write",
  fine: Judgement,
  context: PolicyContext,
): Judgement {
  if (paths.length === 0) return ask("tool.paths", "It does not say which files it means.");
  const odd = paths.some((path) => path === "" || /[\0\n~]/.test(path));
  if (odd) return ask("tool.paths", "It names a file in a way that is not read.");
  const full = paths.map((path) => (path.startsWith("/") ? path : `${context.cwd}/${path}`));
  const whole = full.some((path) => normalize(path, "/") === context.worktree);
  const judged = full.map((path) => judgePath(path, how, context));
  return (
    worst([
      fine,
      whole && how === "write" ? ask("tool.paths", "It names a folder and not a file.") : null,
      ...judged,
    ]) ?? fine
  );
}

import type { Commit } from "../../core/text/ids.ts";
import type { Command } from "../../ports/command.ts";
import type { Target, Upstream } from "../../ports/target.ts";
import type { TrustedPrograms } from "./guard.ts";
import type { RepositoryFolders } from "./locate.ts";
import { moveTarget } from "./move-target.ts";
import { resolveCommit } from "./objects.ts";
import { replay, revert, STAGED } from "./replay.ts";
import { rewrite } from "./rewrite.ts";
import { GitRunner } from "./run.ts";

const FETCH_TIMEOUT_MS = 60_000;
const PUSH_TIMEOUT_MS = 5 * 60_000;

/** The target by git's own plumbing. */
export function createTarget(
  command: Command,
  { root, commonDir }: Pick<RepositoryFolders, "root" | "commonDir">,
  env: NodeJS.ProcessEnv,
  trusted: TrustedPrograms = () => new Map(),
): Target {
  const git = new GitRunner(command, root, env, { commonDir, trusted });
  return {
    replay: (order) => replay(git, commonDir, order),
    revert: (order) => revert(git, commonDir, order),
    rewrite: (order) => rewrite(git, commonDir, order),
    async release(kept) {
      const fields = await git.fields(["for-each-ref", "--format=%(refname)%00", STAGED]);
      const refs = fields.map((each) => each.trim()).filter((ref) => ref !== "");
      const gone = refs.filter((ref) => !kept.includes(ref.slice(STAGED.length) as Commit));
      if (gone.length > 0)
        await git.run(["update-ref", "--stdin"], { input: gone.map((ref) => `delete ${ref}\n`).join("") });
    },
    move: (order) => moveTarget(git, commonDir, order),
    async upstream(branch) {
      const found = await upstreamOf(git, branch);
      if (found === null) return null;
      const { remote, name, tracking } = found;
      const refspec = `+${name}:${tracking}`;
      const fetched = await git
        .run(["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", remote, refspec], {
          reach: "remotes",
          timeoutMs: FETCH_TIMEOUT_MS,
        })
        .then(
          () => null,
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        );
      const upstream: Upstream = {
        name: tracking.replace(/^refs\/remotes\//, ""),
        commit: await resolveCommit(git, tracking),
        unreachable: fetched,
      };
      return upstream;
    },
    async push(branch, commit) {
      const found = await upstreamOf(git, branch);
      if (found === null) return false;
      const args = ["push", "--quiet", "--no-verify", found.remote, `${commit}:${found.name}`];
      const { code } = await git.run(args, { reach: "remotes", timeoutMs: PUSH_TIMEOUT_MS, answers: [1, 128] });
      return code === 0;
    },
  };
}

async function upstreamOf(
  git: GitRunner,
  branch: string,
): Promise<{ readonly remote: string; readonly name: string; readonly tracking: string } | null> {
  const format = "%(upstream:remotename)%00%(upstream:remoteref)%00%(upstream)%00";
  const [remote = "", name = "", tracking = ""] = await git.fields([
    "for-each-ref",
    `--format=${format}`,
    `refs/heads/${branch}`,
  ]);
  return remote === "" || name === "" || tracking === "" || remote.startsWith("-") ? null : { remote, name, tracking };
}

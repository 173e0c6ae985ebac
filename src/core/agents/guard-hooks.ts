import { shellWord } from "../text/quote.ts";

/** Every hook git may look for in a client, but the incessant ones: with a folder of our own set, it looks nowhere else. */
const HOOK_NAMES: readonly string[] = [
  "applypatch-msg",
  "pre-applypatch",
  "post-applypatch",
  "pre-commit",
  "pre-merge-commit",
  "prepare-commit-msg",
  "commit-msg",
  "post-commit",
  "pre-rebase",
  "post-checkout",
  "post-merge",
  "pre-push",
  "pre-auto-gc",
  "post-rewrite",
  "sendemail-validate",
];

/** Run several times by every command, and used by hardly any repository: only where it has them when we begin. */
const INCESSANT: readonly string[] = ["post-index-change", "reference-transaction"];

/** The hooks agents get, where the repository's own are called so. */
export const hooksFor = (own: readonly string[]): string[] => [
  ...HOOK_NAMES,
  ...INCESSANT.filter((name) => own.includes(name)),
];

/**
 * The one script behind all of them, for agents alone: they get its folder by their environment, and nobody's `.git` is
 * written to. The repository's own hook comes first and decides as always; after it an agent keeps to its branch. In any
 * other repository only that one's own hooks run. It minds mistakes: `--no-verify` gets past it, as past every hook.
 * One process of git per hook, four hooks per commit: 23 ms, where seven hooks with two to four processes took 67 ms.
 */
export const guardHook = (repository: string): string => `#!/bin/sh
# Written by banksman: the repository's own hook, then the agent's branch.
name=\${0##*/}
{ read -r own && read -r common && read -r folder; } <<END
$(unset GIT_CONFIG_COUNT && git rev-parse --path-format=absolute --git-path hooks --git-common-dir --git-dir)
END
[ "$own" != "\${0%/*}" ] || own=
case $name in
pre-commit | pre-merge-commit | pre-push) ;;
*)
  if [ -n "$own" ] && [ -x "$own/$name" ]; then exec "$own/$name" "$@"; fi
  exit 0
  ;;
esac

pushed=
[ "$name" != pre-push ] || pushed=$(cat)
if [ -n "$own" ] && [ -x "$own/$name" ]; then
  if [ "$name" = pre-push ]; then
    { [ -z "$pushed" ] || printf '%s\\n' "$pushed"; } | "$own/$name" "$@" || exit $?
  else
    "$own/$name" "$@" || exit $?
  fi
fi

[ -n "$BANKSMAN_BRANCH" ] || exit 0
[ "$common" = ${shellWord(repository)} ] || exit 0
refuse() {
  printf 'banksman: %s\\n' "$1" >&2
  exit 1
}

if [ "$name" != pre-push ]; then
  read -r head <"$folder/HEAD"
  case $head in
  */.invalid) head=$(git symbolic-ref -q HEAD) ;;
  "ref: "*) head=\${head#ref: } ;;
  *) head= ;;
  esac
  head=\${head#refs/heads/}
  [ "$head" != "$BANKSMAN_BRANCH" ] || exit 0
  if [ -z "$head" ] && { [ -d "$folder/rebase-merge" ] || [ -d "$folder/rebase-apply" ]; }; then exit 0; fi
  refuse "this worktree is on \${head:-a commit without a branch}, and your branch is $BANKSMAN_BRANCH: switch to it before you commit."
fi

[ -n "$pushed" ] || exit 0
printf '%s\\n' "$pushed" | while read -r _ local remote_ref remote; do
  [ "$remote_ref" = "refs/heads/$BANKSMAN_BRANCH" ] ||
    refuse "you may push $BANKSMAN_BRANCH to its own name, and not $remote_ref."
  case $local in *[!0]*) ;; *) refuse "you may not delete $remote_ref." ;; esac
  case $remote in
  *[!0]*)
    git merge-base --is-ancestor "$remote" "$local" 2>/dev/null ||
      refuse "$remote_ref has commits that yours has not: fetch and rebase; a forced push is refused."
    ;;
  esac
done
`;

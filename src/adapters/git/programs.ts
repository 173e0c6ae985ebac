import type { Environment } from "../../core/clis/environment.ts";

/** Given by environment, not by `-c`: a hostile key may hold `=`, and there it would be cut. */
export type Setting = readonly [key: string, value: string];

/**
 * How our calls keep one setting of git's from running anything:
 * - `set`: every call has this value, whoever has set another one.
 * - `remote`: so has every call that reaches no remote. One that does has the user's own value instead.
 * - `listed`: the name in the middle is anybody's choice, so the config is read first: what the repository sets is
 *   replaced by the user's own value, or by this one.
 * - `argument`: each call that could reach it says no by an argument or by its environment.
 * - `unused`: only commands read it that we never call.
 */
export type Off =
  | { readonly how: "set" | "remote" | "listed"; readonly value: string }
  | { readonly how: "argument" | "unused"; readonly why: string };

export interface ProgramSetting {
  /** As git's documentation writes it, with `*` for a name. */
  readonly key: string;
  readonly off: Off;
}

const rows = <Row>(table: Readonly<Record<string, Row>>, off: (row: Row) => Off): ProgramSetting[] =>
  Object.entries(table).map(([key, row]) => ({ key, off: off(row) }));

/** Behind the markers of a file whose merge driver was replaced. */
export const DRIVER_LABELS = { ours: "banksman-ours", theirs: "banksman-theirs" } as const;

/**
 * Git's own merge by lines: a driver cannot be unset, and an empty one stops the merge. What it answers for a binary file
 * would be taken for a crash by later versions of git.
 */
const MERGE_BY_LINES = `git merge-file -q --marker-size=%L -L ${DRIVER_LABELS.ours} -L base -L ${DRIVER_LABELS.theirs} %A %O %B || exit 1`;

/**
 * Every setting by which git's configuration names a program, a remote helper, or another repository whose own
 * configuration would then count. Made from git's documentation (`git help --config`, gitattributes, git-interpret-trailers,
 * git-hook); `test/faults/git-programs.test.ts` plants each of them and runs every call of ours.
 */
export const PROGRAM_SETTINGS: readonly ProgramSetting[] = [
  ...rows(
    {
      "core.hooksPath": "/dev/null",
      "core.fsmonitor": "false",
      "core.pager": "cat",
      "core.editor": "false",
      "sequence.editor": "false",
      "core.alternateRefsCommand": "true",
      // A call that forgets --no-ext-diff fails, and says so.
      "diff.external": "false",
      "diff.submodule": "short",
      "diff.ignoreSubmodules": "dirty",
      "status.submoduleSummary": "false",
      "submodule.recurse": "false",
      "fetch.recurseSubmodules": "false",
      "push.recurseSubmodules": "no",
      "commit.gpgSign": "false",
      "tag.gpgSign": "false",
      "tag.forceSignAnnotated": "false",
      "push.gpgSign": "false",
      "merge.verifySignatures": "false",
      "log.showSignature": "false",
      "gpg.format": "openpgp",
      "gpg.program": "false",
      "gpg.openpgp.program": "false",
      "gpg.x509.program": "false",
      "gpg.ssh.program": "false",
      "gpg.ssh.defaultKeyCommand": "false",
      "init.templateDir": "",
      "interactive.diffFilter": "false",
    },
    (value) => ({ how: "set", value }),
  ),
  ...rows(
    {
      "core.sshCommand": "false",
      "ssh.variant": "simple",
      "core.askPass": "",
      "credential.helper": "",
    },
    (value) => ({ how: "remote", value }),
  ),
  ...rows(
    {
      "filter.*.clean": "",
      "filter.*.smudge": "",
      "filter.*.process": "",
      "filter.*.required": "false",
      "merge.*.driver": MERGE_BY_LINES,
      "merge.*.recursive": "text",
      "hook.*.enabled": "false",
      "lfs.customtransfer.*.path": "false",
      "lfs.extension.*.clean": "false",
      "lfs.extension.*.smudge": "false",
      "lfs.standalonetransferagent": "",
      "lfs.*.standalonetransferagent": "",
    },
    (value) => ({ how: "listed", value }),
  ),
  ...rows(
    {
      "hook.*.command": "hook.*.enabled is false",
      "credential.*.helper":
        "GIT_ALLOW_PROTOCOL; where a remote is reached, the list is begun anew with the user's own",
      "core.gitProxy": "GIT_PROXY_COMMAND",
      // Git takes the first that it reads, which is not ours.
      "remote.*.uploadpack": "GIT_ALLOW_PROTOCOL; nothing is fetched where a repository sets it",
      "remote.*.receivepack": "GIT_ALLOW_PROTOCOL; nothing is fetched where a repository sets it",
      "remote.*.vcs": "GIT_ALLOW_PROTOCOL; nothing is fetched where a repository sets it",
      "remote.*.promisor": "GIT_ALLOW_PROTOCOL",
      "remote.*.partialclonefilter": "GIT_ALLOW_PROTOCOL",
      "extensions.partialClone": "GIT_ALLOW_PROTOCOL",
      "remote.*.url": "GIT_ALLOW_PROTOCOL",
      "protocol.allow": "GIT_ALLOW_PROTOCOL",
      "protocol.*.allow": "GIT_ALLOW_PROTOCOL",
      "url.*.insteadOf": "GIT_ALLOW_PROTOCOL",
      "url.*.pushInsteadOf": "GIT_ALLOW_PROTOCOL",
      "pager.*": "GIT_PAGER; and no output of ours is a terminal",
      "diff.*.command": "--no-ext-diff",
      "diff.*.textconv": "--no-textconv",
      "submodule.*.update": "--checkout",
      "core.worktree": "GIT_WORK_TREE",
      "include.path": "what it includes is read with the rest",
      "includeIf.*.path": "what it includes is read with the rest",
    },
    (why) => ({ how: "argument", why }),
  ),
  ...rows(
    {
      "alias.*": "git takes its own commands first, and we call no others",
      "trailer.*.command": "interpret-trailers",
      "trailer.*.cmd": "interpret-trailers",
      "uploadpack.packObjectsHook": "upload-pack; and git takes it from the user's own config alone",
      "tar.*.command": "archive",
      "difftool.*.cmd": "difftool",
      "difftool.*.path": "difftool",
      "mergetool.*.cmd": "mergetool",
      "mergetool.*.path": "mergetool",
      "guitool.*.cmd": "git gui",
      "man.viewer": "help",
      "man.*.cmd": "help",
      "man.*.path": "help",
      "help.browser": "help",
      "help.htmlPath": "help",
      "web.browser": "web--browse",
      "browser.*.cmd": "web--browse",
      "browser.*.path": "web--browse",
      "instaweb.httpd": "instaweb",
      "instaweb.browser": "instaweb",
      "instaweb.modulePath": "instaweb",
      "imap.tunnel": "imap-send",
      "sendemail.smtpServer": "send-email",
      "sendemail.sendmailCmd": "send-email",
      "sendemail.toCmd": "send-email",
      "sendemail.ccCmd": "send-email",
      "sendemail.headerCmd": "send-email",
      "sendemail.*.sendmailCmd": "send-email",
      "safe.directory": "git takes it from the user's own config alone",
      "safe.bareRepository": "git takes it from the user's own config alone",
    },
    (why) => ({ how: "unused", why }),
  ),
];

const valuesOf = (how: "set" | "remote"): Setting[] =>
  PROGRAM_SETTINGS.flatMap(({ key, off }) => (off.how === how ? [[key, off.value] as const] : []));

/** In every call. */
export const ALWAYS_SET: readonly Setting[] = valuesOf("set");

/** In every call that reaches no remote. */
export const REMOTE_SET: readonly Setting[] = valuesOf("remote");

/**
 * What no setting can do. The one protocol that is allowed is a line end, which can be in no URL and in no name of an
 * alias: git would run `git remote-<protocol>`, and with that an alias the repository has made.
 */
export const ALWAYS_IN_ENV: Environment = { GIT_PAGER: "cat", GIT_EDITOR: "false", GIT_PROXY_COMMAND: "" };
export const REMOTE_IN_ENV: Environment = { GIT_ALLOW_PROTOCOL: "\n", GIT_NO_LAZY_FETCH: "1", GIT_ASKPASS: "" };

interface Pattern {
  readonly row: ProgramSetting;
  readonly before: string;
  /** Null for a key without a name in the middle. */
  readonly after: string | null;
}

/** By their section: a config can have as many lines as somebody wants. */
const BY_SECTION = new Map<string, Pattern[]>();
for (const row of PROGRAM_SETTINGS) {
  const [before = "", after = null] = row.key.toLowerCase().split("*");
  const section = sectionOf(before);
  BY_SECTION.set(section, [...(BY_SECTION.get(section) ?? []), { row, before, after }]);
}

/** The row a key of somebody's config falls under; sections and last names do not mind case. */
export function rowOf(key: string): ProgramSetting | null {
  const low = key.toLowerCase();
  return BY_SECTION.get(sectionOf(low))?.find((pattern) => matches(pattern, low))?.row ?? null;
}

function sectionOf(key: string): string {
  return key.slice(0, key.indexOf("."));
}

/** `filter.*.clean` is `filter.a.b.clean` as well: a name in the middle may hold dots. */
function matches({ before, after }: Pattern, low: string): boolean {
  if (after === null) return low === before;
  return low.length > before.length + after.length && low.startsWith(before) && low.endsWith(after);
}

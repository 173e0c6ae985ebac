/** Where a hostile setting may stand. */
export const PLACES = ["repository", "worktree", "submodule", "nested"] as const;
export type PlaceName = (typeof PLACES)[number];

/** What a place has to plant with. */
export interface Bait {
  /** An executable that leaves a mark in this place's name. */
  readonly program: string;
  /** A folder in which every hook is that program. */
  readonly hooks: string;
  /** A template for new repositories with such hooks, and a config that names it. */
  readonly template: string;
  /** A config file that names it, to be included. */
  readonly included: string;
  /** A folder with a file `f`, which nobody is to touch. */
  readonly elsewhere: string;
  /** A server that wants a password. */
  readonly server: string;
  /** A repository beside. */
  readonly remote: string;
}

/** Pairs of key and value; `missing`: an object is gone, so that git would ask the remote for it. */
export interface Plant {
  readonly settings: readonly (readonly [string, string])[];
  readonly missing?: true;
}

type Make = (bait: Bait, place: PlaceName) => Plant;

const set =
  (...settings: (readonly [string, string])[]): Make =>
  () => ({ settings });

/** The program as the value, with what git needs to come to it. */
const run =
  (key: string, ...beside: (readonly [string, string])[]): Make =>
  ({ program }) => ({ settings: [...beside, [key, program]] });

/** A remote that has what is missing, as far as git knows. */
const fetches =
  (url: (bait: Bait) => string, settings: (bait: Bait) => readonly (readonly [string, string])[]): Make =>
  (bait) => ({
    missing: true,
    settings: [
      ["remote.o.url", url(bait)],
      ["remote.o.promisor", "true"],
      ["extensions.partialClone", "o"],
      ...settings(bait),
    ],
  });

const local = ({ remote }: Bait) => remote;
const SIGNS = [
  ["commit.gpgSign", "true"],
  ["log.showSignature", "true"],
] as const;

/** A setting that makes git look into other repositories: there a filter waits. */
const looksInto =
  (key: string, value: string): Make =>
  ({ program }, place) => ({
    settings: place === "repository" || place === "worktree" ? [[key, value]] : [["filter.evil.clean", program]],
  });

const EVENTS = [
  "pre-rebase",
  "post-checkout",
  "post-index-change",
  "reference-transaction",
  "post-rewrite",
  "pre-commit",
];
const hookEntries = (program: string): (readonly [string, string])[] => [
  ...EVENTS.map((event) => ["hook.evil.event", event] as const),
  ["hook.evil.command", program],
];

/** How each setting is planted; one that is not here has the program as its value, `evil` for its `*`. */
const PLANTS: Readonly<Record<string, Make>> = {
  "core.hooksPath": ({ hooks }) => ({ settings: [["core.hooksPath", hooks]] }),
  "init.templateDir": ({ template }) => ({ settings: [["init.templateDir", template]] }),
  "diff.submodule": looksInto("diff.submodule", "diff"),
  "diff.ignoreSubmodules": looksInto("diff.ignoreSubmodules", "none"),
  "status.submoduleSummary": looksInto("status.submoduleSummary", "true"),
  "submodule.recurse": looksInto("submodule.recurse", "true"),
  "fetch.recurseSubmodules": looksInto("fetch.recurseSubmodules", "true"),
  "push.recurseSubmodules": looksInto("push.recurseSubmodules", "on-demand"),
  "gpg.program": run("gpg.program", ...SIGNS),
  "commit.gpgSign": run("gpg.program", ["commit.gpgSign", "true"]),
  "tag.gpgSign": run("gpg.program", ["tag.gpgSign", "true"]),
  "tag.forceSignAnnotated": run("gpg.program", ["tag.forceSignAnnotated", "true"]),
  "push.gpgSign": run("gpg.program", ["push.gpgSign", "true"]),
  "merge.verifySignatures": run("gpg.program", ["merge.verifySignatures", "true"]),
  "log.showSignature": run("gpg.program", ["log.showSignature", "true"]),
  "gpg.format": run("gpg.x509.program", ["gpg.format", "x509"], ...SIGNS),
  "gpg.openpgp.program": run("gpg.openpgp.program", ...SIGNS),
  "gpg.x509.program": run("gpg.x509.program", ["gpg.format", "x509"], ...SIGNS),
  "gpg.ssh.program": run("gpg.ssh.program", ["gpg.format", "ssh"], ["user.signingKey", "/dev/null"], ...SIGNS),
  "gpg.ssh.defaultKeyCommand": run("gpg.ssh.defaultKeyCommand", ["gpg.format", "ssh"], ...SIGNS),

  "core.sshCommand": fetches(
    () => "ssh://nowhere/x",
    ({ program }) => [["core.sshCommand", program]],
  ),
  "ssh.variant": fetches(
    () => "ssh://nowhere/x",
    ({ program }) => [
      ["ssh.variant", "simple"],
      ["core.sshCommand", program],
    ],
  ),
  "core.askPass": fetches(
    ({ server }) => server,
    ({ program }) => [["core.askPass", program]],
  ),
  "credential.helper": fetches(
    ({ server }) => server,
    ({ program }) => [["credential.helper", program]],
  ),
  "credential.*.helper": fetches(
    ({ server }) => server,
    ({ server, program }) => [[`credential.${new URL(server).origin}.helper`, `!${program}`]],
  ),
  "core.gitProxy": fetches(
    () => "git://127.0.0.1/x",
    ({ program }) => [["core.gitProxy", program]],
  ),
  "core.alternateRefsCommand": fetches(local, ({ program }) => [["core.alternateRefsCommand", program]]),
  "remote.*.uploadpack": fetches(local, ({ program }) => [["remote.o.uploadpack", program]]),
  "remote.*.receivepack": fetches(local, ({ program }) => [["remote.o.receivepack", program]]),
  // A helper that is no program on PATH can be an alias.
  "remote.*.vcs": fetches(
    () => "x",
    ({ program }) => [
      ["remote.o.vcs", "evil"],
      ["alias.remote-evil", `!${program}`],
      ["protocol.evil.allow", "always"],
    ],
  ),
  "remote.*.promisor": fetches(local, ({ program }) => [["remote.o.uploadpack", program]]),
  "remote.*.partialclonefilter": fetches(local, ({ program }) => [
    ["remote.o.partialclonefilter", "blob:none"],
    ["remote.o.uploadpack", program],
  ]),
  "extensions.partialClone": fetches(local, ({ program }) => [["remote.o.uploadpack", program]]),
  "remote.*.url": fetches(
    ({ program }) => `ext::${program}`,
    () => [["protocol.ext.allow", "always"]],
  ),
  "protocol.allow": fetches(
    ({ program }) => `ext::${program}`,
    () => [["protocol.allow", "always"]],
  ),
  "protocol.*.allow": fetches(
    () => "none::x",
    ({ program }) => [
      ["protocol.none.allow", "always"],
      ["alias.remote-none", `!${program}`],
    ],
  ),
  "url.*.insteadOf": fetches(
    () => "https://harmless/x",
    ({ program }) => [
      [`url.ext::${program} .insteadOf`, "https://harmless/"],
      ["protocol.ext.allow", "always"],
    ],
  ),
  "uploadpack.packObjectsHook": fetches(local, ({ program }) => [["uploadpack.packObjectsHook", program]]),
  "alias.*": ({ program }) => ({
    settings: ["status", "log", "rev-parse", "ls-files", "config", "rebase", "submodule", "remote-"].map((name) => [
      `alias.${name}`,
      `!${program}`,
    ]),
  }),
  "filter.*.required": run("filter.evil.clean", ["filter.evil.required", "true"]),
  "merge.*.recursive": run("merge.other.driver", ["merge.evil.driver", "false"], ["merge.evil.recursive", "other"]),
  "hook.*.command": ({ program }) => ({ settings: hookEntries(program) }),
  "hook.*.enabled": ({ program }) => ({ settings: [...hookEntries(program), ["hook.evil.enabled", "true"]] }),
  "pager.*": ({ program }) => ({
    settings: ["status", "log", "diff", "grep", "config", "branch", "for-each-ref"].map((name) => [
      `pager.${name}`,
      program,
    ]),
  }),
  "submodule.*.update": ({ program }) => ({ settings: [["submodule.sub.update", `!${program}`]] }),
  "core.worktree": ({ elsewhere }) => ({ settings: [["core.worktree", elsewhere]] }),
  "include.path": ({ included }) => ({ settings: [["include.path", included]] }),
  "includeIf.*.path": ({ included }) => ({ settings: [["includeIf.gitdir:/.path", included]] }),
  "safe.directory": set(["safe.directory", "*"]),
  "safe.bareRepository": set(["safe.bareRepository", "all"]),
};

/** Whether an object has to be missing for it. */
export const losesObjects = (key: string): boolean =>
  plant(key, { ...NOWHERE, server: "http://127.0.0.1/x.git" }, "repository").missing === true;

const NOWHERE = { program: "", hooks: "", template: "", included: "", elsewhere: "", remote: "" };

export function plant(key: string, bait: Bait, place: PlaceName): Plant {
  const make = PLANTS[key] ?? run(key.replace("*", "evil"));
  return make(bait, place);
}

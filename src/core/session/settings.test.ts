import { expect, it } from "vitest";
import { resolveCli, type SessionSettings } from "./settings.ts";

const cli = (name: string) => ({
  name,
  source: "custom" as const,
  argv: ["x"],
  protocol: "plain" as const,
  env: [],
  resumeArgs: [],
});
const settings = (over: Partial<SessionSettings> = {}): SessionSettings => ({
  defaultCli: null,
  clis: new Map([["mine", cli("mine")]]),
  placement: "child",
  setUp: { copy: [], symlink: [], command: null, timeoutSeconds: 1 },
  portBase: null,
  rebase: false,
  look: { mouse: true, borders: true },
  broker: true,
  constitution: null,
  issuePrefix: "issue/",
  conflict: { windowSeconds: 120, warnOnIntentOverlap: true, escalateOnViolation: true },
  supervisor: { enabled: null, cli: null, nudge: true, may: [] },
  defaultSpecCli: null,
  presets: new Map(),
  skills: "/skills",
  specs: { type: null, dir: null, prefix: "spec/" },
  rate: { perSecond: 1, burst: 1 },
  republishSeconds: 60,
  retention: { messages: 1_000, days: 1 },
  verify: true,
  land: { mode: "manual", strategy: "train", target: null },
  commands: {},
  learnings: false,
  ignored: [],
  ...over,
});

it.each([
  ["the one that was named", settings(), "mine", { name: "mine" }],
  ["the default", settings({ defaultCli: "mine" }), null, { name: "mine" }],
  ["none", settings(), null, { kind: "cli.none" }],
  ["one nobody knows", settings(), "x", { kind: "cli.unknown", known: ["mine"] }],
  ["one that comes later", settings(), "aider", { kind: "cli.unsupported" }],
  ["one a stranger's config defines", settings({ ignored: ["clis.evil.command"] }), "evil", { kind: "cli.untrusted" }],
])("takes %s", (_, given, asked, expected) => expect(resolveCli(given, asked)).toMatchObject(expected));

it("lets the user's claude win over the built-in one", () => {
  expect(resolveCli(settings({ clis: new Map([["claude", cli("claude")]]) }), "claude")).toMatchObject({
    name: "claude",
    argv: ["x"],
  });
});

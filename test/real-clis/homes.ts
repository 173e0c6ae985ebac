import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CliName } from "./pinned.ts";

export interface HomeOptions {
  /** Gemini asks whether it may trust a folder it has not seen. */
  readonly folderTrust?: boolean;
}

type Environment = Readonly<Record<string, string>>;

/** The name of the one model, at each provider. Gemini's client knows its own by name. */
export const MODEL = { gemini: "gemini-2.5-flash", others: "fake-1" } as const;

/**
 * Makes `folder` a home in which the CLI knows no model but the scripted one at `url`, asks nothing at its first start,
 * updates nothing and reports nothing. Answers with the variables that go with it, HOME among them; keys are made up.
 */
export function homeFor(cli: CliName, url: string, folder: string, options: HomeOptions = {}): Environment {
  mkdirSync(folder, { recursive: true });
  const own = HOMES[cli];
  const { files, env } = own(url, folder, options);
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
  return { HOME: folder, TERM: "xterm-256color", LANG: "C.UTF-8", ...env };
}

/** Files by their path below the home, and variables. */
interface Home {
  readonly files: Readonly<Record<string, unknown>>;
  readonly env: Environment;
}

const codex = (url: string, folder: string): Home => ({
  files: { ".codex/config.toml": codexConfig(url) },
  env: { CODEX_HOME: join(folder, ".codex"), FAKE_KEY: "dummy" },
});

const HOMES: Readonly<Record<CliName, (url: string, folder: string, options: HomeOptions) => Home>> = {
  claude: (url) => ({
    files: { ".claude.json": { hasCompletedOnboarding: true, theme: "dark" } },
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "sk-ant-fake",
      // Where tests run as root, it allows everything only in what it is told is a sandbox.
      IS_SANDBOX: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    },
  }),
  codex,
  "codex-acp": codex,
  gemini: (url, _folder, { folderTrust = false }) => ({
    files: {
      ".gemini/settings.json": {
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: folderTrust } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false },
      },
    },
    env: { GEMINI_API_KEY: "dummy", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_NO_RELAUNCH: "1" },
  }),
  pi: (url) => ({
    files: { ".pi/agent/models.json": { providers: { fake: piProvider(url) } } },
    env: { PI_OFFLINE: "1", PI_TELEMETRY: "0", FAKE_KEY: "dummy" },
  }),
  opencode: (url) => ({
    files: { ".config/opencode/opencode.json": opencodeConfig(url) },
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    },
  }),
  qwen: (url) => ({
    files: {
      ".qwen/settings.json": { privacy: { usageStatisticsEnabled: false }, general: { enableAutoUpdate: false } },
    },
    env: { OPENAI_API_KEY: "dummy", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: MODEL.others },
  }),
  copilot: (url) => ({
    files: {},
    env: {
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: "dummy",
      COPILOT_MODEL: MODEL.others,
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
    },
  }),
};

/** It gives up soon, so that tests of failures do not take minutes. */
const codexConfig = (url: string): string => `
model = "${MODEL.others}"
model_provider = "fake"
check_for_update_on_startup = false
[analytics]
enabled = false
[feedback]
enabled = false
[model_providers.fake]
name = "Fake"
base_url = "${url}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
stream_idle_timeout_ms = 8000
`;

/** Dollars for a million tokens, so that tests can see costs. */
const COST = { input: 3, output: 15 };

const piProvider = (url: string) => ({
  baseUrl: `${url}/v1`,
  api: "openai-completions",
  apiKey: "FAKE_KEY",
  models: [
    {
      id: MODEL.others,
      name: "Fake 1",
      reasoning: false,
      input: ["text"],
      contextWindow: 128_000,
      maxTokens: 8192,
      cost: { ...COST, cacheRead: 0.3, cacheWrite: 3.75 },
    },
  ],
});

const opencodeConfig = (url: string) => ({
  autoupdate: false,
  share: "disabled",
  model: `fake/${MODEL.others}`,
  small_model: `fake/${MODEL.others}`,
  provider: {
    fake: {
      npm: "@ai-sdk/openai-compatible",
      name: "Fake",
      options: { baseURL: `${url}/v1`, apiKey: "dummy" },
      models: { [MODEL.others]: { name: "Fake 1", limit: { context: 128_000, output: 8192 }, cost: COST } },
    },
  },
});

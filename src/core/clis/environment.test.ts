import { expect, it } from "vitest";
import { agentEnvironment, gitConfigEnvironment } from "./environment.ts";
import { variablesOf } from "./kinds.ts";

it("passes what tools need, and no secret", () => {
  const user = {
    PATH: "/bin",
    HOME: "/h",
    LC_ALL: "C",
    GITHUB_TOKEN: "s",
    AWS_SECRET_ACCESS_KEY: "s",
    SSH_AUTH_SOCK: "s",
    GIT_DIR: "/x",
    NODE_OPTIONS: "--require x",
    MY_KEY: "k",
  };
  expect(agentEnvironment(user, ["MY_KEY"], { BANKSMAN_AGENT: "a", PATH: "/ours:/bin" })).toEqual({
    PATH: "/ours:/bin",
    HOME: "/h",
    LC_ALL: "C",
    MY_KEY: "k",
    BANKSMAN_AGENT: "a",
  });
});
it("lets nothing override what we give", () => {
  expect(agentEnvironment({ BANKSMAN_URL: "theirs" }, ["BANKSMAN_URL"], { BANKSMAN_URL: "ours" })).toEqual({
    BANKSMAN_URL: "ours",
  });
});
it("writes git settings as variables", () => {
  expect(
    gitConfigEnvironment([
      ["a.b", "c"],
      ["d=e.f", ""],
    ]),
  ).toEqual({
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_0: "a.b",
    GIT_CONFIG_VALUE_0: "c",
    GIT_CONFIG_KEY_1: "d=e.f",
    GIT_CONFIG_VALUE_1: "",
  });
});
it("gives claude the keys of a cloud only where it is told to use that cloud", () => {
  const user = { AWS_SECRET_ACCESS_KEY: "s", GOOGLE_APPLICATION_CREDENTIALS: "g", ANTHROPIC_API_KEY: "a" };
  const given = (more: Record<string, string>) => {
    const all = { ...user, ...more };
    return Object.keys(agentEnvironment(all, variablesOf({ protocol: "claude", env: [] }, all), {})).filter(
      (name) => !name.startsWith("CLAUDE_"),
    );
  };
  expect(given({})).toEqual(["ANTHROPIC_API_KEY"]);
  expect(given({ CLAUDE_CODE_USE_BEDROCK: "0", CLAUDE_CODE_USE_VERTEX: "" })).toEqual(["ANTHROPIC_API_KEY"]);
  expect(given({ CLAUDE_CODE_USE_BEDROCK: "1" })).toEqual(["AWS_SECRET_ACCESS_KEY", "ANTHROPIC_API_KEY"]);
  expect(given({ CLAUDE_CODE_USE_VERTEX: "true" })).toEqual(["GOOGLE_APPLICATION_CREDENTIALS", "ANTHROPIC_API_KEY"]);
  expect(variablesOf({ protocol: "claude", env: ["AWS_*"] }, user)).toContain("AWS_*");
});

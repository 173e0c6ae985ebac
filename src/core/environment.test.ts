import { expect, it } from "vitest";
import { agentEnvironment, gitConfigEnvironment } from "./environment.ts";

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

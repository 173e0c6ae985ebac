import { ask, askUnlessSandboxed, deny, type Judgement } from "../decision.ts";
import type { Scope } from "../shell/scope.ts";
import type { Entry, Programs } from "./entry.ts";
import { isProjects } from "./make.ts";
import type { ReadOptions } from "./read-options.ts";

const publishes = deny("network.publish", "It publishes something.");
const property = ask("java.property", "A property can change what the build runs.");

const TASKS =
  /^:?([\w-]+:)*(test|tests|check|build|assemble|classes|testClasses|compileJava|compileKotlin|compileTestJava|lint|ktlintCheck|detekt|spotlessCheck|spotlessApply|javadoc|tasks|dependencies|projects|help|verify|compile|package|test-compile|validate)$/;
const HARMLESS_PROPERTY =
  /^(skipTests|skipITs|test|it\.test|failIfNoTests|surefire\.failIfNoSpecifiedTests|maven\.test\.skip|style\.color)(=[\w.#*,!-]*)?$/;

const tasks = ({ operands, options }: ReadOptions): Judgement | null => {
  if (operands.some(({ text }) => /publish|upload|deploy|release/i.test(text))) return publishes;
  const other = operands.find(({ text }) => !TASKS.test(text));
  if (other !== undefined) return ask("java.task", `It is not known what ${JSON.stringify(other.text)} does.`);
  const odd = options.some(({ name, value }) => name === "-D" && !HARMLESS_PROPERTY.test(value?.text ?? ""));
  return odd ? property : null;
};

const wrapper =
  (file: string) =>
  (read: ReadOptions, scope: Scope): Judgement | null =>
    tasks(read) ??
    (isProjects([file], scope)
      ? null
      : askUnlessSandboxed("java.wrapper.changed", "The wrapper is not as the project has it."));

const gradle: Entry = {
  rule: "gradle.run",
  does: "test",
  why: "It runs a usual task of the project.",
  options:
    "-q -i -s -x= -m --tests= --info --debug --stacktrace --no-daemon --daemon --offline --quiet --console= --continue --parallel --rerun-tasks --warning-mode= --build-cache --no-build-cache --dry-run --version -v --scan",
  operands: ["text"],
  refused: {
    "-I": deny("java.script", "It makes gradle run another script."),
    "--init-script": deny("java.script", "It makes gradle run another script."),
    "--include-build": ask("java.script", "It adds another build."),
    "-P": property,
    "-D": property,
    "-b": ask("java.script", "It takes another build file."),
    "-p": ask("java.script", "It runs in another folder."),
    "--scan": ask("network.publish", "It sends the build to a server."),
  },
  check: tasks,
};
const maven: Entry = {
  rule: "maven.run",
  does: "test",
  why: "It runs a usual phase of the project.",
  options:
    "-q -B -o -e -X -am -T= -D= --quiet --batch-mode --offline --also-make --projects= --no-transfer-progress -ntp --fail-at-end --version -v --errors -pl=",
  longDash: true,
  operands: ["text"],
  refused: {
    "-f": ask("java.script", "It takes another build file."),
    "-s": ask("java.script", "It takes other settings."),
    "-P": property,
  },
  check: tasks,
};

/** maven joins `-Dname=value`; the table wants the letter alone. */
const splitProperties = (entry: Entry): Entry => ({ ...entry, longDash: undefined });

const version: Programs[string] = {
  rule: "java.version",
  does: "read",
  why: "It prints its version.",
  options: "-version --version",
  longDash: true,
  stack: "java",
};

export const JAVA: Programs = {
  gradle: { ...gradle, stack: "java" },
  "./gradlew": { ...gradle, check: wrapper("gradlew"), stack: "java" },
  mvn: { ...splitProperties(maven), stack: "java" },
  "./mvnw": { ...splitProperties(maven), check: wrapper("mvnw"), stack: "java" },
  java: version,
  javac: version,
};

import { STACKS, type Stack } from "./context.ts";

/** The files by which a language shows, at any depth. */
const MANIFESTS: Readonly<Record<Stack, RegExp>> = {
  rust: /(^|\/)Cargo\.toml$/,
  node: /(^|\/)package\.json$/,
  python: /(^|\/)(pyproject\.toml|setup\.(py|cfg)|requirements[\w-]*\.txt|Pipfile|tox\.ini)$/,
  go: /(^|\/)go\.mod$/,
  java: /(^|\/)(pom\.xml|(build|settings)\.gradle(\.kts)?)$/,
  dotnet: /(^|\/)(global\.json|[^/]+\.(csproj|fsproj|vbproj|sln))$/,
};

/** The languages of a project, by the names of its files. */
export const findStacks = (names: readonly string[]): Stack[] =>
  STACKS.filter((stack) => names.some((name) => MANIFESTS[stack].test(name)));

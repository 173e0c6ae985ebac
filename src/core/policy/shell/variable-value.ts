import type { ParameterExpansionPart, SimpleExpansionPart } from "unbash";
import { type Argument, literal } from "./argument.ts";
import type { Scope } from "./scope.ts";

/** The value of `$x` or `${x}` where it is known; null where it is not. */
export function variableValue(part: SimpleExpansionPart | ParameterExpansionPart, scope: Scope): Argument | null {
  const name = nameOf(part);
  return name === null ? null : (scope.value(name) ?? given(name, scope));
}

function nameOf(part: SimpleExpansionPart | ParameterExpansionPart): string | null {
  if (part.type === "SimpleExpansion") return part.text.slice(1);
  const { parameter, prefix, index, operation } = part;
  return prefix === undefined && index === undefined && operation === undefined ? parameter : null;
}

/** What every agent gets at launch, unless the script assigns it. */
function given(name: string, { context, assigned, folders }: Scope): Argument | null {
  if (assigned.has(name)) return null;
  const values: Readonly<Record<string, string | null | undefined>> = {
    HOME: context.home,
    TMPDIR: context.temp,
    PORT: context.port?.toString(),
    BANKSMAN_URL: context.broker,
    GIT_PAW_BROKER_URL: context.broker,
    PWD: folders?.length === 1 ? folders[0] : null,
  };
  const value = Object.hasOwn(values, name) ? values[name] : null;
  return value === null || value === undefined ? null : literal(value);
}

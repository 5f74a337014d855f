import { ProblemCollector } from "@bearhug/sdk/internal";
import type { GivenOption } from "./validated-http.ts";
import {
  type HttpOptionName,
  httpOptionNames,
  httpOptions,
  type RequestHttpOptionName,
} from "./option-table.ts";

/** The validated value of an option, or its problems in sentences. */
export type OptionReading<Name extends RequestHttpOptionName> =
  | { readonly value: GivenOption<Name> }
  | { readonly problem: string };

type Readings = { readonly [Name in RequestHttpOptionName]: Map<unknown, OptionReading<Name>> };

/** The options of `http` that a single request may set, too. */
export const requestHttpOptionNames: readonly RequestHttpOptionName[] = httpOptionNames.filter(isForRequests);

/** Further values of an option are validated each time. */
const maxCachedValues = 100;
const cache = Object.fromEntries(requestHttpOptionNames.map((name) => [name, new Map()])) as Readings;

/**
 * Reads a request's option by the schema of the same option in `http`. Strings, numbers and booleans are
 * cached: a request with the same value costs a look-up only.
 */
export function readRequestOption<Name extends RequestHttpOptionName>(
  name: Name,
  given: unknown,
): OptionReading<Name> {
  const cached: Map<unknown, OptionReading<Name>> = cache[name];
  const before = cached.get(given);
  if (before !== undefined) return before;
  const collector = new ProblemCollector("");
  const value = collector.read(httpOptions[name].schema(), given, [name]);
  const reading =
    value === undefined ? { problem: collector.problems.map(({ message }) => message).join(" ") } : { value };
  if (typeof given !== "object" && cached.size < maxCachedValues) cached.set(given, reading);
  return reading;
}

function isForRequests(name: HttpOptionName): name is RequestHttpOptionName {
  return httpOptions[name].isForRequests === true;
}

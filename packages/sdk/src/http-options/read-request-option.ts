import { ProblemCollector } from "../validation/problem.ts";
import type { GivenOption } from "./http-options.ts";
import {
  type HttpOptionName,
  httpOptionNames,
  httpOptions,
  type RequestHttpOptionName,
} from "./option-table.ts";

/** The value of an option, read; or sentences that say what is wrong with it. */
export type OptionReading<Name extends RequestHttpOptionName> =
  | { readonly value: GivenOption<Name> }
  | { readonly problem: string };

type Readings = { readonly [Name in RequestHttpOptionName]: Map<unknown, OptionReading<Name>> };

/** The options of `http` that a single request may give, too. */
export const requestHttpOptionNames: readonly RequestHttpOptionName[] = httpOptionNames.filter(isOfRequests);

/** A test that makes up more values of an option pays for each. */
const mostKept = 100;
const kept = Object.fromEntries(requestHttpOptionNames.map((name) => [name, new Map()])) as Readings;

/**
 * Reads an option of `http` that a request gives, by the schema of `http`. Texts, numbers and booleans are read once: a
 * request that gives the same again costs a look-up.
 */
export function readRequestOption<Name extends RequestHttpOptionName>(
  name: Name,
  given: unknown,
): OptionReading<Name> {
  const known: Map<unknown, OptionReading<Name>> = kept[name];
  const before = known.get(given);
  if (before !== undefined) return before;
  const collector = new ProblemCollector("");
  const value = collector.read(httpOptions[name].schema(), given, [name]);
  const reading =
    value === undefined ? { problem: collector.problems.map(({ message }) => message).join(" ") } : { value };
  if (typeof given !== "object" && known.size < mostKept) known.set(given, reading);
  return reading;
}

function isOfRequests(name: HttpOptionName): name is RequestHttpOptionName {
  return httpOptions[name].ofRequests === true;
}

import { isBuiltInTag } from "@bearhug/metrics/tags";
import { findTokens } from "@bearhug/text/secrets/token-shapes";

/** Characters that no name may contain: control characters, line separators, controls of writing direction, halves of surrogate pairs. */
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const longest = 200;

/** Returns the problem with a name that people read; undefined for a valid one. */
export function textProblem(name: string): string | undefined {
  if (name.trim() === "") return "must not be blank";
  if (unprintable.test(name)) return "must not contain control characters";
  return name.length > longest
    ? `must have at most ${longest} characters, but has ${name.length}`
    : undefined;
}

/** Returns the problem with the name of a scenario, which must be writable in a tag filter; undefined for a valid one. */
export function scenarioNameProblem(name: string): string | undefined {
  if (/[{},]/.test(name)) return "has a name with { } or a comma, which can't be written in a tag filter";
  return edgeProblem(name) ?? namedProblem(name);
}

/** Returns the problem with the name of a metric or a tag, which must be writable in a threshold's key; undefined for a valid one. */
export function selectorNameProblem(name: string): string | undefined {
  if (/[\s{},:!~=]/.test(name))
    return "has a name with a space or one of { } , : ! ~ =, which can't be written in a threshold's key";
  return namedProblem(name);
}

/** Returns the problem with the name of a test's own tag; undefined for a valid one. */
export function tagNameProblem(name: string): string | undefined {
  return isBuiltInTag(name) ? "is a tag that bearhug sets itself" : selectorNameProblem(name);
}

function edgeProblem(name: string): string | undefined {
  return name.trim() === name ? undefined : "has a name that begins or ends with a space";
}

function namedProblem(name: string): string | undefined {
  if (findTokens(name).length > 0)
    return "has a name that looks like an access token, which reports would show: choose another";
  const problem = textProblem(name);
  return problem === undefined ? undefined : `has a name that ${problem}`;
}

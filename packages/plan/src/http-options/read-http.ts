import type { Problem } from "@bearhug/sdk";
import type { Path, ProblemCollector } from "@bearhug/sdk/internal";
import { describeIssue } from "@bearhug/text/describe-issue";
import { usableHeaders } from "./headers.ts";
import { givenContradictions, httpContradictions } from "./http-contradictions.ts";
import type { GivenHttp, ValidatedHttp } from "./validated-http.ts";
import { type HttpOptionName, httpOptionNames, httpOptions, httpSchema, mergeHttp } from "./option-table.ts";

/** Reads the `http` of a test or a scenario and merges it into `base`; returns `base` itself if nothing is given. */
export function readHttp(
  value: unknown,
  base: ValidatedHttp,
  path: Path,
  collector: ProblemCollector,
): ValidatedHttp {
  if (value === undefined) return base;
  const given = collector.read(httpSchema(), value, path) ?? usableHttp(value);
  const http = mergeHttp(base, given);
  for (const problem of [...givenContradictions(given), ...newContradictions(base, http)]) {
    collector.add([...path, ...problem.path.split(".")], problem.message);
  }
  return http;
}

/** Values of options that are not validated yet. */
type UnreadHttp = { readonly [Name in HttpOptionName]?: unknown };

/** Reads the valid options one by one, and calls `onProblem` with each problem of the others. */
export function readHttpOptions(
  values: UnreadHttp,
  onProblem: (name: HttpOptionName, problem: string) => void,
  { areFlags }: { readonly areFlags: boolean } = { areFlags: false },
): GivenHttp {
  const read: Record<string, unknown> = {};
  for (const name of httpOptionNames) {
    if (values[name] === undefined) continue;
    const { schema, flag } = httpOptions[name];
    const reader = (areFlags ? flag?.schema : undefined) ?? schema;
    const { success, data, error } = reader().safeParse(values[name], { error: describeIssue });
    for (const { message } of error?.issues ?? []) onProblem(name, message);
    if (success) read[name] = data;
  }
  return read;
}

/** Leaves out invalid options, so that contradictions between the others are still found. */
function usableHttp(value: unknown): GivenHttp {
  if (typeof value !== "object" || value === null) return {};
  const values: UnreadHttp = value;
  const headers = values.headers === undefined ? undefined : usableHeaders(values.headers);
  return readHttpOptions({ ...values, headers }, () => undefined);
}

/**
 * Returns contradictions that `base` does not have, so that those of a test are not repeated for each of its
 * scenarios.
 */
function newContradictions(base: ValidatedHttp, http: ValidatedHttp): Problem[] {
  const before = new Set(httpContradictions(base).map(({ message }) => message));
  return httpContradictions(http).filter(({ message }) => !before.has(message));
}

import type { SingleRequestFlags } from "./bench-requests.ts";

/** A sentence for options of a URL's request that are given for a test, which would ignore them. */
export function requestOptionsOfTest({ header, method, body }: SingleRequestFlags): string[] {
  const given = [
    ...(header.length > 0 ? ["-H"] : []),
    ...(method === undefined ? [] : ["-X"]),
    ...(body === undefined ? [] : ["-b"]),
  ];
  return given.length === 0 ? [] : [`${given.join(", ")}: only for a URL. A test says itself what it sends.`];
}

/** A sentence for each report that a series of runs cannot write. */
export function reportsOfSingleRuns(out: readonly string[]): string[] {
  return out.map((text) => `--out ${text}: only bearhug run and bearhug <url> can write it.`);
}

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import type { LoadedTest } from "@bearhug/engine/run/load-test";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";

/**
 * Returns fingerprints of everything but addresses that the steps of a sweep share. They are too short to
 * test guesses of secrets against them.
 */
export function describeConditions(
  loaded: readonly LoadedTest[],
  { env, envFile, http, scenarios, arrivals, maxDataBytes }: RunOptions,
): Record<string, string> {
  const [first] = loaded;
  const options = fingerprint([http, scenarios, arrivals, maxDataBytes]);
  if (first?.source.kind === "module")
    return {
      "test file": fingerprint(readFileSync(first.source.bundlePath, "utf8")),
      variables: fingerprint([envFile, env]),
      options,
    };
  const requests = loaded.flatMap(({ source }) => (source.kind === "url" ? source.requests : []));
  return {
    method: fingerprint(requests.map(({ method }) => method)),
    headers: fingerprint(requests.map(({ headers }) => headers)),
    body: fingerprint(requests.map(({ body }) => body && hashOf(body))),
    URLs: fingerprint(requests.map(({ url, weight }) => [url, weight])),
    options,
  };
}

function fingerprint(value: unknown): string {
  return hashOf(JSON.stringify(value)).slice(0, 8);
}

function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

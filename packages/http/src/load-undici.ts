import type { DefinitionSource } from "@bearhug/plan/protocol/definition-source";
import type { RunPlan } from "@bearhug/plan/protocol/plan";

import type { MakeFetchClient } from "./client.ts";
import type { GlobalFetchRules } from "./fetch/global-fetch.ts";
import type { SpeakUndici } from "./undici/undici-client.ts";

/** The parts of the engine that need undici. */
export interface Fetching {
  readonly makeFetchClient: MakeFetchClient;
  /** Makes the global `fetch` the engine's; null where no code calls it. */
  readonly replaceFetch: ((rules: GlobalFetchRules) => () => void) | null;
}

const without: Fetching = {
  makeFetchClient: () => {
    throw new TypeError(
      'http.fetch and http.dispatcher are loaded for tests that have the word "fetch", "dispatcher" or "undici" in their code.',
    );
  },
  replaceFetch: null,
};

/**
 * Loads undici for a test whose code may use it: before the load begins, because it takes about 0.1 s and 25 MB. All of a
 * test's code is in its bundle, unless the test is an object. What comes in by other ways still has Node's own `fetch`, which
 * is noticed and guarded.
 */
export async function loadFetching(source: DefinitionSource): Promise<Fetching> {
  if (source.kind === "url" || (source.kind === "module" && !source.mayFetch)) return without;
  const { createFetchClient } = await import("./fetch/measured-fetch.ts");
  const { replaceFetch } = await import("./fetch/global-fetch.ts");
  return { makeFetchClient: createFetchClient, replaceFetch };
}

/** Loads undici where a plan has it speak HTTP: before the load begins, because that takes time and memory. */
export async function loadUndici({ http, scenarios }: RunPlan): Promise<SpeakUndici | null> {
  const options = [http, ...scenarios.map(({ scenario }) => scenario.http)];
  if (!options.some(({ transport }) => transport === "undici")) return null;
  const { speakUndici } = await import("./undici/speak-undici.ts");
  return speakUndici;
}

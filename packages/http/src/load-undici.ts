import type { DefinitionSource } from "@bearhug/plan/protocol/definition-source";
import type { RunPlan } from "@bearhug/plan/protocol/plan";

import type { MakeFetchClient } from "./client.ts";
import type { GlobalFetchRules } from "./fetch/global-fetch.ts";
import type { SpeakUndici } from "./undici/undici-client.ts";

/** The parts of the engine that need undici. */
export interface FetchSupport {
  readonly makeFetchClient: MakeFetchClient;
  /** Replaces the global `fetch` with the engine's, and returns its undo; null if no code calls it. */
  readonly replaceFetch: ((rules: GlobalFetchRules) => () => void) | null;
}

const without: FetchSupport = {
  makeFetchClient: () => {
    throw new TypeError(
      'http.fetch and http.dispatcher are loaded for tests that have the word "fetch", "dispatcher" or "undici" in their code.',
    );
  },
  replaceFetch: null,
};

/**
 * Loads undici if the test's code may use it. It does so before the load begins, because loading takes about
 * 0.1 s and 25 MB. A test's whole code is in its bundle, unless the test is an object. Code loaded in any
 * other way still gets Node's own `fetch`, whose traffic is watched and guarded.
 */
export async function loadFetchSupport(source: DefinitionSource): Promise<FetchSupport> {
  if (source.kind === "url" || (source.kind === "module" && !source.mayFetch)) return without;
  const { createFetchClient } = await import("./fetch/measured-fetch.ts");
  const { replaceFetch } = await import("./fetch/global-fetch.ts");
  return { makeFetchClient: createFetchClient, replaceFetch };
}

/** Loads undici if the plan uses it as transport, before the load begins: loading takes time and memory. */
export async function loadUndici({ http, scenarios }: RunPlan): Promise<SpeakUndici | null> {
  const options = [http, ...scenarios.map(({ scenario }) => scenario.http)];
  if (!options.some(({ transport }) => transport === "undici")) return null;
  const { speakUndici } = await import("./undici/create-undici-transport.ts");
  return speakUndici;
}

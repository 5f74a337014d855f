import type { Test } from "@bearhug/sdk";

/** The source of a run's test, which workers load. Modules and objects hold the user's code. */
export type DefinitionSource =
  | {
      readonly kind: "module";
      /** The bundle, as a path. */
      readonly bundlePath: string;
      /**
       * The folder of the test's own file: paths of feeds and of files that the test sends are relative to
       * it.
       */
      readonly folder: string;
      /** True if its code may call `fetch` or use undici. */
      readonly mayFetch: boolean;
      /** True if it may have a `setup`, a `teardown` or a `summary`, which need a thread of their own. */
      readonly mayHaveStages: boolean;
    }
  | { readonly kind: "url"; readonly requests: readonly UrlRequest[] }
  /** For workers in this thread only: functions cannot be sent to another thread. */
  | {
      readonly kind: "object";
      readonly test: Test;
      /** Paths of its feeds are relative to it. */
      readonly folder: string;
    };

/**
 * True if only the test's module runs before the load: there is no setup, and no `fetch` of the test's own
 * that the engine would have to replace first. The thread that describes such a test becomes a load worker.
 */
export function isDescribedInLoadWorker(source: DefinitionSource): boolean {
  return source.kind === "module" && !source.mayFetch && !source.mayHaveStages;
}

/** A request of `bearhug <url>`. */
export interface UrlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | null;
  /** Its share of the requests, relative to the weights of the others. @default 1 */
  readonly weight?: number;
}

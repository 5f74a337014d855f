import type { MakeFetchClient } from "../http/client.ts";
import type { DefinitionSource } from "../protocol/definition-source.ts";

/**
 * Loads undici for a test that has code of its own: before the load begins, because it takes about 0.1 s and 25 MB.
 */
export async function loadFetchClient({ kind }: DefinitionSource): Promise<MakeFetchClient> {
  switch (kind) {
    case "module": {
      const { createFetchClient } = await import("../http/fetch/fetch-client.ts");
      return createFetchClient;
    }
    case "url":
      return () => {
        throw new TypeError("http.fetch and http.dispatcher are there in test files only");
      };
  }
}

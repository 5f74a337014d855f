import type { HeaderSets } from "./header-sets.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** What the requests of a file share. */
export interface FileParts {
  readonly vocabulary: Vocabulary;
  readonly headers: HeaderSets;
  /** Long texts that repeat, such as a query of GraphQL: their names. */
  readonly texts: ReadonlyMap<string, string>;
}

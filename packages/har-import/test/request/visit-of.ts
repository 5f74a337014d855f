import type { Visit } from "../../src/visit.ts";
import { entryOf, harOf, read } from "../har-file.ts";

/** Returns the visit of an entry that was read from a file. */
export async function visitOf(
  url: string,
  entry: Parameters<typeof entryOf>[1] = {},
  hops: readonly Visit[] = [],
): Promise<Visit> {
  const { entries } = await read(harOf([entryOf(url, entry)]));
  return { entry: entries[0]!, atMs: null, url: new URL(entries[0]!.request.url), hops };
}

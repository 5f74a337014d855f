import { z } from "zod";
import type { Header } from "../capture.ts";
import type { KnownHeaders } from "./known-headers.ts";

const headerSchema = z.compile(
  z.object({
    name: z.string(),
    value: z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]),
  }),
);

/**
 * Headers of a list in which anything may stand. Chrome joins repeated headers by line breaks: they are parted.
 *
 * @param known Those that were read before.
 */
export function readHeaders(list: readonly unknown[], known: KnownHeaders): Header[] {
  const headers = list.flatMap((raw) => {
    const header = headerSchema.safeParse(raw);
    if (!header.success) return [];
    const name = header.data.name.trim();
    return header.data.value.split(/\r\n|\n|\r/).map((line) => known.one([name, line.trim()]));
  });
  // A copy is as long as it is; what grew has room for 17, in each of 100,000 entries.
  return [...headers];
}

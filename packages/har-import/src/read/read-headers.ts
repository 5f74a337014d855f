import { z } from "zod";
import type { Header } from "../capture.ts";

const headerSchema = z.object({
  name: z.string(),
  value: z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]),
});

/** Headers of a list in which anything may stand. Chrome joins repeated headers by line breaks: they are parted. */
export function readHeaders(list: readonly unknown[]): Header[] {
  return list.flatMap((raw) => {
    const header = headerSchema.safeParse(raw);
    if (!header.success) return [];
    const { name, value } = header.data;
    return value.split(/\r\n|\n|\r/).map((line): Header => [name.trim(), line.trim()]);
  });
}

import { z } from "zod";
import type { CapturePage } from "../capture.ts";
import { milliseconds, text, textOrNumber } from "./json-fields.ts";
import { parseStart } from "./parse-start.ts";

const pageSchema = z.compile(
  z.object({
    id: textOrNumber,
    title: text,
    startedDateTime: text,
    pageTimings: z.object({ onLoad: milliseconds }).catch({ onLoad: null }),
  }),
);

/** A page of the file's list; one that is no object has no name and no entries. */
export function readPage(raw: unknown): CapturePage {
  const page = pageSchema.safeParse(raw);
  if (!page.success) return { id: "", title: "", startedAtMs: null, loadedAfterMs: null };
  const { id, title, startedDateTime, pageTimings } = page.data;
  return { id, title, startedAtMs: parseStart(startedDateTime), loadedAfterMs: pageTimings.onLoad };
}

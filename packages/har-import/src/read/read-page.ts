import { z } from "zod";
import type { CapturePage } from "../capture.ts";
import { text, textOrNumber } from "./json-fields.ts";
import { parseStart } from "./parse-start.ts";

const pageSchema = z
  .object({ id: textOrNumber, title: text, startedDateTime: text })
  .catch({ id: "", title: "", startedDateTime: "" });

/** A page of the file's list; one that is no object has no name and no entries. */
export function readPage(raw: unknown): CapturePage {
  const { id, title, startedDateTime } = pageSchema.parse(raw);
  return { id, title, startedAtMs: parseStart(startedDateTime) };
}

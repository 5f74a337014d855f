import { z } from "zod";
import { CaptureError } from "../capture-error.ts";
import type { Capture, CaptureEntry, Finding } from "../capture.ts";
import { decodeText } from "./decode-text.ts";
import { list } from "./json-fields.ts";
import { parseJson } from "./parse-json.ts";
import { readEntry } from "./read-entry.ts";
import { readPage } from "./read-page.ts";

const fileSchema = z.object({ log: z.record(z.string(), z.unknown()) });

/**
 * Reads a HAR file, tolerantly: what cannot be understood is a finding, and the rest is read.
 *
 * @param chunks The file's bytes, in pieces of any size.
 * @throws CaptureError when the file as a whole is no capture.
 */
export async function readCapture(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Capture> {
  const { value, findings: fileFindings } = parseJson(await decodeText(chunks));
  const file = fileSchema.safeParse(value);
  if (!file.success) throw new CaptureError('The file has no "log" object, so it is not a HAR capture.');
  const rawEntries = file.data.log["entries"];
  if (!Array.isArray(rawEntries)) throw new CaptureError('The capture has no "log.entries" list.');
  if (rawEntries.length === 0) throw new CaptureError("The capture has no entries: nothing was recorded.");

  const findings: Finding[] = [...fileFindings];
  const entries: CaptureEntry[] = [];
  for (const [index, raw] of rawEntries.entries()) {
    const entry = readEntry(raw, index, findings);
    if (entry !== null) entries.push(entry);
  }
  return { pages: list.parse(file.data.log["pages"]).map(readPage), entries, findings };
}

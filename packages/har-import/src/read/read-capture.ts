import { z } from "@bearhug/sdk/internal";
import type { Capture, CaptureEntry, CapturePage, Finding } from "../capture.ts";
import { attachBodies, type BodyOf } from "./attached-bodies.ts";
import { type Chunks, scanCapture } from "./scan-capture.ts";
import { milliseconds, parseStart, text, textOrNumber } from "./json-fields.ts";
import { readEntry } from "./read-entry.ts";
import { KnownHeaders } from "./read-headers.ts";
import { inferQueueTimes } from "./infer-queue-times.ts";

interface ReadOptions {
  /**
   * Read the responses' bodies. Without them every `body` is null, and memory stays small however large the
   * file is. @default true
   */
  readonly bodies?: boolean;
  /** Reads bodies that the capture keeps in separate files. @default such bodies count as not recorded */
  readonly bodyOf?: BodyOf;
}

/**
 * Reads a HAR file leniently: a part that cannot be read is a finding, and the rest is read.
 *
 * @param chunks The file's bytes, in pieces of any size.
 * @throws CaptureError when the file as a whole is not a capture.
 */
export async function readCapture(chunks: Chunks, options: ReadOptions = {}): Promise<Capture> {
  const pages: CapturePage[] = [];
  const entries: CaptureEntry[] = [];
  const findings: Finding[] = [];
  const known = new KnownHeaders();
  for await (const item of scanCapture(chunks, options)) {
    if (item.kind === "finding") findings.push(item.finding);
    else if (item.kind === "page") pages.push(readPage(item.json));
    else if (item.kind === "entry") {
      await attachBodies(item.json, item.index, options, findings);
      const entry = readEntry(item.json, item.index, findings, known);
      if (entry !== null) entries.push(entry);
    }
  }
  return { pages, entries: inferQueueTimes(entries), findings };
}

/** Types of content in which there is no value that a later request could use. */
const withoutValues =
  /^(?:image\/(?!svg)|audio\/|video\/|font\/|text\/css|application\/(?:font|x-font|wasm|vnd\.ms-fontobject))/i;

const contentType = z.compile(
  z.object({
    response: z.object({ content: z.object({ mimeType: z.string() }) }),
  }),
);

/**
 * Calls `visit` for each entry of a HAR file with its response's body, in file order, and keeps none of them.
 * Images, audio, video, fonts and style sheets come without their bodies. Entries that cannot be read are
 * skipped: `readCapture` reports them.
 *
 * @throws CaptureError when the file as a whole is not a capture.
 */
export async function visitResponses(
  chunks: Chunks,
  visit: (entry: CaptureEntry) => void,
  { bodyOf }: { readonly bodyOf?: BodyOf } = {},
): Promise<void> {
  const attached = bodyOf === undefined ? {} : { bodyOf };
  for await (const item of scanCapture(chunks, { bodies: mayHaveValues })) {
    if (item.kind !== "entry") continue;
    await attachBodies(item.json, item.index, { ...attached, bodies: mayHaveValues(item.json) }, []);
    const entry = readEntry(item.json, item.index, []);
    if (entry !== null) visit(entry);
  }
}

function mayHaveValues(entry: unknown): boolean {
  const typed = contentType.safeParse(entry);
  return !typed.success || !withoutValues.test(typed.data.response.content.mimeType);
}

const pageSchema = z.compile(
  z.object({
    id: textOrNumber,
    title: text,
    startedDateTime: text,
    pageTimings: z.object({ onLoad: milliseconds }).catch({ onLoad: null }),
  }),
);

/** Reads a page of the file's list. If it is not an object, the page has no name and no entries. */
export function readPage(raw: unknown): CapturePage {
  const page = pageSchema.safeParse(raw);
  if (!page.success) return { id: "", title: "", startedAtMs: null, loadedAfterMs: null };
  const { id, title, startedDateTime, pageTimings } = page.data;
  return { id, title, startedAtMs: parseStart(startedDateTime), loadedAfterMs: pageTimings.onLoad };
}

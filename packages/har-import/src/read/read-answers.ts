import { z } from "zod";
import type { CaptureEntry } from "../capture.ts";
import { type BodyOf, attachBodies } from "./attached-bodies.ts";
import { readEntry } from "./read-entry.ts";
import { scanCapture } from "./scan-capture.ts";
import type { Chunks } from "./scanned-item.ts";

/** Nothing that a later request could take stands in these. */
const withoutValues =
  /^(?:image\/(?!svg)|audio\/|video\/|font\/|text\/css|application\/(?:font|x-font|wasm|vnd\.ms-fontobject))/i;

const contentType = z.compile(
  z.object({
    response: z.object({ content: z.object({ mimeType: z.string() }) }),
  }),
);

/**
 * Shows the entries of a HAR file with the bodies of their answers, one by one, in file order. Nothing is kept of one
 * when the next comes. Images, sounds, films, fonts and styles come without their body, what cannot be read not at all:
 * `readCapture` tells of it.
 *
 * @throws CaptureError when the file as a whole is no capture.
 */
export async function readAnswers(
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

import type { CaptureEntry } from "../capture.ts";
import { type BodyOf, attachBodies } from "./attached-bodies.ts";
import { readEntry } from "./read-entry.ts";
import { scanCapture } from "./scan-capture.ts";
import type { Chunks } from "./scanned-item.ts";

/**
 * Shows the entries of a HAR file with the bodies of their answers, one by one, in file order. Nothing is kept of one
 * when the next comes. What cannot be read is passed by: `readCapture` tells of it.
 *
 * @throws CaptureError when the file as a whole is no capture.
 */
export async function readAnswers(
  chunks: Chunks,
  visit: (entry: CaptureEntry) => void,
  { bodyOf }: { readonly bodyOf?: BodyOf } = {},
): Promise<void> {
  for await (const item of scanCapture(chunks)) {
    if (item.kind !== "entry") continue;
    await attachBodies(item.json, item.index, bodyOf === undefined ? {} : { bodyOf }, []);
    const entry = readEntry(item.json, item.index, []);
    if (entry !== null) visit(entry);
  }
}

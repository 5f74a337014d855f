import { CaptureScanner, type WantsBody } from "./capture-scanner.ts";
import type { Chunks, ScannedItem } from "./scanned-item.ts";
import { utf8Bytes } from "./utf8-bytes.ts";

export interface ScanOptions {
  /**
   * Which responses' bodies are wanted: all, none, or those of entries of which this, told them without, says so.
   * Of the others `response.content.text` is null, and nothing is held. @default true
   */
  readonly bodies?: boolean | WantsBody;
}

/**
 * Takes a HAR file apart as it comes: the elements of `log.entries` and `log.pages` and the other members of `log`, in
 * file order, one at a time. What is broken is a finding, and the rest is read.
 *
 * @throws CaptureError when the file as a whole is no capture. That may be found out only at its end.
 */
export async function* scanCapture(
  chunks: Chunks,
  { bodies = true }: ScanOptions = {},
): AsyncGenerator<ScannedItem> {
  const wantsBody = typeof bodies === "boolean" ? () => bodies : bodies;
  const scanner = new CaptureScanner(bodies === false ? null : wantsBody);
  const size = { bytes: 0 };
  for await (const chunk of utf8Bytes(counted(chunks, size))) {
    yield* scanner.push(chunk);
    if (scanner.isDone) break;
  }
  yield* scanner.end(size.bytes);
}

async function* counted(chunks: Chunks, size: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    size.bytes += chunk.length;
    yield chunk;
  }
}

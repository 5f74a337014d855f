import { pipeline, Readable } from "node:stream";
import { constants, createGunzip } from "node:zlib";
import { CaptureError } from "@bearhug/har-import";
import { maxUnpackedBytes, tooLarge } from "./opened-capture.ts";

/** What gzip packed. Where that is cut short or damaged it ends: the reader tells where, and keeps what came before. */
export async function* gunzipped(
  packed: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limitBytes: number = maxUnpackedBytes,
): AsyncGenerator<Uint8Array> {
  // With this flush, an end that comes too early is an end.
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 256 * 1024 });
  // The error comes out of the iteration below, too.
  pipeline(Readable.from(packed), gunzip, () => undefined);
  let size = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > limitBytes) throw tooLarge(limitBytes);
      yield chunk;
    }
  } catch (error) {
    const isDamaged = error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
    if (!isDamaged) throw error;
    if (size === 0)
      throw new CaptureError("The capture's gzip data is damaged. Export it again.", { cause: error });
  }
}

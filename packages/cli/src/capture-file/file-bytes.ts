import { open } from "node:fs/promises";

/** Large enough that waiting for the disk is no matter, small enough to be none of memory. */
const readBytes = 512 * 1024;

/** The bytes of a file, in pieces. Each is good until the next is asked for: all are read to the same place. */
export async function* fileBytes(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    const place = Buffer.alloc(readBytes);
    for (;;) {
      const { bytesRead } = await file.read(place, 0, readBytes, null);
      if (bytesRead === 0) return;
      yield place.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

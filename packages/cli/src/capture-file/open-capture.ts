import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { bodiesBeside } from "./bodies-beside.ts";
import { fileBytes } from "./file-bytes.ts";
import { gunzipped } from "./gunzipped.ts";
import { openArchive } from "./open-archive.ts";
import type { OpenedCapture } from "./opened-capture.ts";

/** A capture by its path: plain, in gzip, or in Playwright's zip archive. Its first bytes say which. */
export async function openCapture(path: string): Promise<OpenedCapture> {
  if (!(await stat(path)).isFile()) return await openPipe(path);
  const format = formatOf(await firstBytes(path));
  if (format === "zip") return await openArchive(path);
  return {
    open: () => {
      // What gzip is given must stay as it is for longer than a turn.
      return format === "gzip" ? gunzipped(createReadStream(path)) : fileBytes(path);
    },
    bodyOf: bodiesBeside(path),
    close: () => undefined,
  };
}

/** What can be read only once, such as the standard input, is kept. A folder fails here, in the system's own words. */
async function openPipe(path: string): Promise<OpenedCapture> {
  const pieces: Uint8Array[] = [];
  for await (const piece of createReadStream(path)) pieces.push(piece as Uint8Array);
  const isGzip = formatOf(Buffer.concat(pieces.slice(0, 2))) === "gzip";
  return {
    open: () => (isGzip ? gunzipped(pieces) : pieces),
    bodyOf: async () => Promise.resolve(null),
    close: () => undefined,
  };
}

function formatOf(head: Uint8Array): "plain" | "gzip" | "zip" {
  const [first, second] = head;
  if (first === 0x1f && second === 0x8b) return "gzip";
  return first === 0x50 && second === 0x4b ? "zip" : "plain";
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

import { open, type FileHandle } from "node:fs/promises";
import { constants, crc32, createInflateRaw } from "node:zlib";

/** The first bytes of a member without a name or comment. */
const magic = Buffer.from([0x1f, 0x8b, 8, 0]);
const headBytes = 10;
const tailBytes = 8;

/**
 * More than a second of the largest run takes. A longer member is not from a recording, and could fill the
 * memory.
 */
const maxBytes = 2 ** 27;

/** A member of a gzip file. */
export interface Member {
  /** The decompressed content. */
  readonly content: Buffer;
  /** The compressed length in the file. */
  readonly length: number;
}

/**
 * Reads the members of a gzip file one by one, up to its end or the first broken one: all members before that
 * are intact. Returns the position of the first broken member; null if the file just ends, even inside a
 * member.
 */
export async function* readMembers(path: string): AsyncGenerator<Member, number | null, undefined> {
  const file = await open(path, "r");
  try {
    let bytes: Buffer = Buffer.alloc(0);
    let position = 0;
    for (let needed = 2 ** 14; needed <= maxBytes;) {
      bytes = await readAtLeast(file, bytes, needed);
      const member = await readMember(bytes);
      if (member === "broken") return position;
      if (member === "cut") {
        if (bytes.length < needed) return (await containsMember(bytes)) ? position : null;
        needed *= 2;
      } else {
        bytes = bytes.subarray(member.length);
        position += member.length;
        needed = 2 ** 14;
        yield member;
      }
    }
    return position;
  } finally {
    await file.close();
  }
}

/**
 * Returns true if an intact member begins later in these bytes: then the first one is broken, not cut off.
 */
async function containsMember(bytes: Buffer): Promise<boolean> {
  for (let at = bytes.indexOf(magic, 1); at !== -1; at = bytes.indexOf(magic, at + 1))
    if (typeof (await readMember(bytes.subarray(at))) === "object") return true;
  return false;
}

/** Returns at least `wanted` bytes, or fewer at the end of the file. */
async function readAtLeast(file: FileHandle, before: Buffer, wanted: number): Promise<Buffer> {
  if (before.length >= wanted) return before;
  const bytes = Buffer.alloc(wanted);
  let length = before.copy(bytes);
  while (length < wanted) {
    const { bytesRead } = await file.read(bytes, length, wanted - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

/** Reads the member at the start of the bytes. Returns `cut` if the bytes end before it does. */
export async function readMember(bytes: Buffer): Promise<Member | "cut" | "broken"> {
  if (bytes.length < headBytes) return "cut";
  if (!bytes.subarray(0, magic.length).equals(magic)) return "broken";
  const inflated = await inflate(bytes.subarray(headBytes));
  if (inflated === null) return "broken";
  const { content, consumed } = inflated;
  const end = headBytes + consumed;
  if (bytes.length < end + tailBytes) return "cut";
  const isWhole =
    bytes.readUInt32LE(end) === crc32(content) && bytes.readUInt32LE(end + 4) === content.length;
  return isWhole ? { content, length: end + tailBytes } : "broken";
}

/**
 * Inflates as much as possible. Returns the content and the number of bytes consumed; null if the data is
 * broken.
 */
async function inflate(bytes: Buffer): Promise<{ content: Buffer; consumed: number } | null> {
  const inflater = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 2 ** 16 });
  inflater.end(bytes);
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of inflater as AsyncIterable<Buffer>) {
      parts.push(part);
      length += part.length;
      if (length > maxBytes) return null;
    }
  } catch {
    return null;
  }
  return { content: Buffer.concat(parts), consumed: inflater.bytesWritten };
}

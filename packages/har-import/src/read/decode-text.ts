import { CaptureError } from "../capture-error.ts";

/** V8 holds no longer string (2^29 − 24). */
const maxCharacters = 536_870_888;

/** Enough bytes to tell by which encoding or archive a file begins. */
const signatureBytes = 4;

type Decoder = InstanceType<typeof TextDecoder>;

/** Text of a file that comes in pieces: UTF-8, or UTF-16 where a byte-order mark says so. The mark is dropped. */
export async function decodeText(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  let decoder: Decoder | null = null;
  let text = "";
  let head = new Uint8Array(0);
  for await (const chunk of chunks) {
    if (decoder === null) {
      head = concatenate(head, chunk);
      if (head.length < signatureBytes) continue;
      decoder = chooseDecoder(head);
      text = decoder.decode(head, { stream: true });
      continue;
    }
    const piece = decoder.decode(chunk, { stream: true });
    if (text.length + piece.length > maxCharacters) {
      throw new CaptureError("The capture is larger than 512 MiB, which is more than can be read at once.");
    }
    text += piece;
  }
  return decoder === null ? chooseDecoder(head).decode(head) : text + decoder.decode();
}

function chooseDecoder([first, second]: Uint8Array): Decoder {
  if (first === 0x1f && second === 0x8b) {
    throw new CaptureError("The capture is compressed with gzip: unpack it first (gunzip).");
  }
  if (first === 0x50 && second === 0x4b) {
    throw new CaptureError("The capture is a zip archive: unpack it first, and give the .har file inside.");
  }
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le");
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be");
  return new TextDecoder();
}

function concatenate(left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(left.length + right.length);
  joined.set(left);
  joined.set(right, left.length);
  return joined;
}

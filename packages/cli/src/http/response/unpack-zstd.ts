import { zstdDecompressSync } from "node:zlib";

/** Each frame takes a start of its own: a body of empty ones would keep a worker busy for long. */
const maxFrames = 1000;

/**
 * Zstandard, one frame after the other (RFC 8878, section 3): Node stops after the first.
 * @throws what `node:zlib` throws.
 */
export function unpackZstd(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const unpacked: Uint8Array[] = [];
  let rest = bytes;
  let left = maxBytes;
  while (rest.length > 0) {
    if (unpacked.length === maxFrames) throw new Error(`more than ${maxFrames} frames`);
    const { frame, consumedBytes } = unpackFrame(rest, Math.max(1, left));
    unpacked.push(frame);
    left -= frame.length;
    rest = rest.subarray(consumedBytes);
  }
  const [only] = unpacked;
  return unpacked.length === 1 && only !== undefined ? only : Buffer.concat(unpacked);
}

interface UnpackedFrame {
  readonly frame: Uint8Array;
  readonly consumedBytes: number;
}

function unpackFrame(bytes: Uint8Array, maxOutputLength: number): UnpackedFrame {
  // With `info` the answer is another than @types/node says.
  const answer: unknown = zstdDecompressSync(bytes, { maxOutputLength, info: true });
  if (!hasInfo(answer) || answer.engine.bytesWritten === 0) throw new Error("no frame");
  return { frame: answer.buffer, consumedBytes: answer.engine.bytesWritten };
}

interface AnswerWithInfo {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

function hasInfo(answer: unknown): answer is AnswerWithInfo {
  if (typeof answer !== "object" || answer === null || !("buffer" in answer) || !("engine" in answer))
    return false;
  const { buffer, engine } = answer;
  if (!(buffer instanceof Uint8Array) || typeof engine !== "object" || engine === null) return false;
  return "bytesWritten" in engine && typeof engine.bytesWritten === "number";
}

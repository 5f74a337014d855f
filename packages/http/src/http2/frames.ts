/** The frames of HTTP/2 (RFC 9113, section 6), as bytes. */

export const frameType = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** Marks SETTINGS and PING as a reply, and DATA and HEADERS as the last of their stream. */
export const flagAck = 1;
export const flagEndStream = 1;
export const flagEndHeaders = 4;
export const flagPadded = 8;
export const flagPriority = 32;

export const frameHeadBytes = 9;

/** The largest payload of a frame, unless a peer allows more. */
export const defaultFrameBytes = 16_384;

/** The initial window of a stream and of a connection, unless a peer changes it. */
export const defaultWindowBytes = 65_535;

export const largestWindow: number = 2 ** 31 - 1;

/** Writes the head of a frame. */
export function writeFrameHead(
  target: Uint8Array,
  at: number,
  length: number,
  type: number,
  flags: number,
  streamId: number,
): void {
  target[at] = length >>> 16;
  target[at + 1] = length >>> 8;
  target[at + 2] = length;
  target[at + 3] = type;
  target[at + 4] = flags;
  writeWord(target, at + 5, streamId);
}

export function writeWord(target: Uint8Array, at: number, value: number): void {
  target[at] = value >>> 24;
  target[at + 1] = value >>> 16;
  target[at + 2] = value >>> 8;
  target[at + 3] = value;
}

/** Reads a 32-bit number. */
export function readWord(bytes: Buffer, at: number): number {
  return bytes.readUInt32BE(at);
}

/** Reads a stream id or another 31-bit number: the first bit is reserved. */
export function readId(bytes: Buffer, at: number): number {
  return bytes.readUInt32BE(at) & 0x7fffffff;
}

/** Creates a frame with a payload of 32-bit numbers. */
function wordFrame(type: number, streamId: number, ...words: readonly number[]): Buffer {
  const frame = Buffer.allocUnsafe(frameHeadBytes + 4 * words.length);
  writeFrameHead(frame, 0, 4 * words.length, type, 0, streamId);
  words.forEach((word, index) => {
    writeWord(frame, frameHeadBytes + 4 * index, word);
  });
  return frame;
}

export function rstStreamFrame(streamId: number, code: number): Buffer {
  return wordFrame(frameType.rstStream, streamId, code);
}

/** Stream 0 is the connection. */
export function windowUpdateFrame(streamId: number, increment: number): Buffer {
  return wordFrame(frameType.windowUpdate, streamId, increment);
}

/** The last stream id is 0, because the server opens no streams. */
export function goawayFrame(code: number): Buffer {
  return wordFrame(frameType.goaway, 0, 0, code);
}

export const pingBytes = 8;

/** `opaque` has 8 bytes, which the reply repeats. */
export function pingFrame(opaque: Uint8Array, isReply: boolean): Buffer {
  const frame = Buffer.allocUnsafe(frameHeadBytes + pingBytes);
  writeFrameHead(frame, 0, pingBytes, frameType.ping, isReply ? flagAck : 0, 0);
  frame.set(opaque, frameHeadBytes);
  return frame;
}

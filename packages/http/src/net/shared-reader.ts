/** Node allocates memory for each read by default. Reads happen one after another, so they can share this. */
const shared: Buffer = Buffer.allocUnsafeSlow(64 * 1024);

/** The same memory. */
const sharedWords = new Int32Array(shared.buffer);

/** Cached views of it: most responses are as long as the last one, and comparing costs less than a view. */
let lent: Buffer = shared;
let rest: Buffer = shared;
let restFrom = 0;

/** Receives what a connection reads. */
export interface BytesReceiver {
  /** `bytes` is only valid until the call returns. */
  onBytes(bytes: Buffer): void;
}

/** The `onread` option of a socket: makes it read into memory that all connections of a worker share. */
export class SharedReader {
  readonly buffer: Buffer = shared;
  receiver: BytesReceiver | null = null;

  readonly callback = (bytes: number): boolean => {
    if (lent.length !== bytes) lent = shared.subarray(0, bytes);
    this.receiver?.onBytes(lent);
    return true;
  };
}

/** Returns memory that begins with what has just been read, as 32-bit words; null for other bytes. */
export function wordsOf(bytes: Buffer): Int32Array | null {
  return bytes === lent ? sharedWords : null;
}

/** Returns a view of the bytes from `start` on. */
export function restOf(bytes: Buffer, start: number): Buffer {
  if (bytes !== lent) return bytes.subarray(start);
  if (restFrom !== start || rest.length !== bytes.length - start) {
    rest = bytes.subarray(start);
    restFrom = start;
  }
  return rest;
}

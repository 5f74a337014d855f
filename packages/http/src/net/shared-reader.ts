/** Node hands each socket memory of its own for each read; connections are read one after another, so one piece serves them all. */
const shared: Buffer = Buffer.allocUnsafeSlow(64 * 1024);

/** The views of it that were lent last: most responses are as long as the one before, and a view costs more than a comparison. */
let lent: Buffer = shared;
let rest: Buffer = shared;
let restFrom = 0;

/** The `onread` option of a socket that dials by itself: makes it read into memory that all connections of a worker share. */
export class SharedReader {
  readonly buffer: Buffer = shared;
  /** Receives bytes that are only lent, until it returns. */
  onBytes: ((bytes: Buffer) => void) | null = null;

  readonly callback = (bytes: number): boolean => {
    if (lent.length !== bytes) lent = shared.subarray(0, bytes);
    this.onBytes?.(lent);
    return true;
  };
}

/** The rest of bytes that were read, from `start` on. */
export function restOf(bytes: Buffer, start: number): Buffer {
  if (bytes !== lent) return bytes.subarray(start);
  if (restFrom !== start || rest.length !== bytes.length - start) {
    rest = bytes.subarray(start);
    restFrom = start;
  }
  return rest;
}

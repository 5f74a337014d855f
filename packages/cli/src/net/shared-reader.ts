/** Node hands each socket memory of its own for each read; connections are read one after another, so one piece serves them all. */
const shared: Buffer = Buffer.allocUnsafeSlow(64 * 1024);

/** The `onread` option of a socket that dials by itself: makes it read into memory that all connections of a worker share. */
export class SharedReader {
  readonly buffer: Buffer = shared;
  /** Receives bytes that are only lent, until it returns. */
  onBytes: ((bytes: Buffer) => void) | null = null;

  readonly callback = (bytes: number): boolean => {
    this.onBytes?.(shared.subarray(0, bytes));
    return true;
  };
}

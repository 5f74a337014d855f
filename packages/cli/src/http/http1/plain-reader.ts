/** Node hands each socket memory of its own for each read; connections are read one after another, so one piece serves them all. */
const shared: Buffer = Buffer.allocUnsafeSlow(64 * 1024);

/** The `onread` option of `net.connect`: makes a plain socket read into shared memory. */
export class PlainReader {
  readonly buffer: Buffer = shared;
  onBytes: ((bytes: Buffer) => void) | null = null;

  readonly callback = (bytes: number): boolean => {
    this.onBytes?.(shared.subarray(0, bytes));
    return true;
  };
}

import { type BodyOf, CaptureError, type CaptureSource } from "@bearhug/har-import";

/** A capture on the disk. Each reading starts at its beginning. */
export interface OpenedCapture {
  readonly open: CaptureSource;
  /** Bodies that the capture has in files of their own. */
  readonly bodyOf: BodyOf;
  /** Frees the file after the last reading. */
  close(): void;
}

/** The largest body that is read from a file of its own, the same as inside a capture. */
export const maxBodyBytes: number = 32 * 2 ** 20;

/** The most that a compressed capture may unpack to: a few kilobytes can be made to unpack for ever. */
export const maxUnpackedBytes: number = 4 * 2 ** 30;

export function tooLarge(limitBytes: number): CaptureError {
  return new CaptureError(
    `The capture is larger than ${limitBytes / 2 ** 20} MiB when unpacked, which is the limit.`,
  );
}

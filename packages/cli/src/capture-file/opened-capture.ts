import { type BodyOf, CaptureError, type CaptureSource } from "@bearhug/har-import";

/** A capture on disk. Each reading starts at the beginning. */
export interface OpenedCapture {
  readonly open: CaptureSource;
  /** Reads bodies that the capture has in separate files. */
  readonly bodyOf: BodyOf;
  /** Frees the file after the last reading. */
  close(): void;
}

/** The size limit of a body in a separate file, the same as inside a capture. */
export const maxBodyBytes: number = 32 * 2 ** 20;

/** The size limit of an unpacked capture: a few kilobytes can be crafted to unpack endlessly. */
export const maxUnpackedBytes: number = 4 * 2 ** 30;

export function tooLarge(limitBytes: number): CaptureError {
  return new CaptureError(
    `The capture is larger than ${limitBytes / 2 ** 20} MiB when unpacked, which is the limit.`,
  );
}

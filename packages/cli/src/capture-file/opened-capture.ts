import { type BodyOf, CaptureError, type CaptureSource } from "@bearhug/har-import";

/** A capture on the disk: as many times as it is read, from its beginning. */
export interface OpenedCapture {
  readonly open: CaptureSource;
  /** Bodies that the capture has in files of their own. */
  readonly bodyOf: BodyOf;
  /** It is not read again. */
  close(): void;
}

/** No body beside a capture is read that is larger: inside one it would not be read, either. */
export const maxBodyBytes: number = 32 * 2 ** 20;

/** What is compressed gives no more than this: a few kilobytes can be made to unpack for ever. */
export const maxUnpackedBytes: number = 4 * 2 ** 30;

export function tooLarge(limitBytes: number): CaptureError {
  return new CaptureError(
    `The capture is larger than ${limitBytes / 2 ** 20} MiB when unpacked, which is the limit.`,
  );
}

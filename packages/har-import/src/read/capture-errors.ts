import { CaptureError } from "../capture-error.ts";

/** What is JSON, but no object. */
const otherJson = /^\s*(\[|"|-?\d|(null|true|false)\b)/;

/** The file does not begin as a capture does. Its text is never quoted: it may be secret. */
export function explainBeginning(beginning: string): CaptureError {
  if (beginning.trim() === "") return new CaptureError("The capture is empty.");
  return otherJson.test(beginning) ? noLog() : notJson();
}

export function noLog(): CaptureError {
  return new CaptureError('The file has no "log" object, so it is not a HAR capture.');
}

export function notJson(): CaptureError {
  return new CaptureError(
    "The capture is not JSON, or is damaged before the end of its first entry. Export it again.",
  );
}

export function noList(): CaptureError {
  return new CaptureError('The capture has no "log.entries" list.');
}

export function noEntries(): CaptureError {
  return new CaptureError("The capture has no entries: nothing was recorded.");
}

export function cutBeforeEntries(size: number): CaptureError {
  return new CaptureError(
    `The capture is truncated at byte ${size}, before the end of its first entry. Export it again.`,
  );
}

const pattern = "bearhug mock: the capture has only the length of this body, not its text.\n";
/** A size is only a number in a file: no more than this is believed. */
const maxBytes = 64 * 1024 * 1024;

let longest = Buffer.alloc(0);

/** A body of a given length, for answers whose size alone was recorded: transfers stay as heavy as they were. */
export function fill(bytes: number): Buffer {
  const length = Math.min(bytes, maxBytes);
  if (longest.length < length) longest = Buffer.alloc(length, pattern);
  return longest.subarray(0, length);
}

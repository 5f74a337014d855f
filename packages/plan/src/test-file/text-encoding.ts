import { readFileSync } from "node:fs";

import { errorCode } from "@bearhug/text/caught-error";

/** The encoding of a text file, and the length of its byte order mark. */
export interface TextEncoding {
  readonly encoding: "utf-8" | "utf-16le" | "utf-16be";
  readonly markBytes: number;
}

/**
 * Detects UTF-16, which PowerShell and Excel write: by the byte order mark, or by a zero byte in the first
 * character, which is ASCII in files of variables and of data.
 */
export function encodingOf([first, second, third]: Uint8Array): TextEncoding {
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: "utf-8", markBytes: 3 };
  if (first === 0xff && second === 0xfe) return { encoding: "utf-16le", markBytes: 2 };
  if (first === 0xfe && second === 0xff) return { encoding: "utf-16be", markBytes: 2 };
  if (first === 0 && second !== 0) return { encoding: "utf-16be", markBytes: 0 };
  return { encoding: first !== 0 && second === 0 ? "utf-16le" : "utf-8", markBytes: 0 };
}

/**
 * Reads a text file in UTF-8 or UTF-16, without a byte order mark.
 * @throws errors of the file system, and an error with the code
 * `ERR_ENCODING_INVALID_ENCODED_DATA` for other encodings
 */
export function readTextFile(path: string): string {
  return decodeText(readFileSync(path));
}

/** Decodes the content of such a file. @throws for other encodings */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes).encoding, { fatal: true }).decode(bytes);
}

/** Describes why a file cannot be read, as the end of a sentence that begins with its path. */
export function describeUnreadable(error: unknown): string {
  const code = errorCode(error) ?? String(error);
  if (code === "ENOENT") return "there is no such file.";
  return code === "ERR_ENCODING_INVALID_ENCODED_DATA"
    ? "this is not UTF-8. Save it as UTF-8."
    : `cannot be read (${code}).`;
}

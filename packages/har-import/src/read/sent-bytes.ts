import type { Header } from "../capture.ts";
import { byteCount } from "./json-fields.ts";

const length = /^\s*(\d{1,15})\s*$/;

/**
 * Length of what a request carried; null where the file does not say. Playwright writes 0 for a body that it cannot see,
 * so the header has a say too.
 */
export function readSentBytes(bodySize: unknown, headers: readonly Header[]): number | null {
  const size = byteCount.parse(bodySize);
  if (size !== null && size > 0) return size;
  const written = headers.find(([name]) => name.toLowerCase() === "content-length")?.[1] ?? "";
  const told = length.exec(written)?.[1];
  return told === undefined ? size : Number(told);
}

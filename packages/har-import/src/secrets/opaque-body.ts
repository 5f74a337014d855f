import type { CapturedBody } from "../capture-model.ts";

/** How gzip, zlib and zip begin, in base64: what is packed so cannot be looked into. */
const packed = /^\s*(?:H4sI|eA[E-H]|eF[4-7]|eJ[w-z]|eN[o-r]|UEsD)/;

/** What somebody should know who sends a body of bytes as it was recorded; null where there is nothing. */
export function hintOpaqueBody(recorded: CapturedBody | null, clean: CapturedBody | null): string | null {
  if (recorded?.kind !== "bytes" || clean?.kind !== "bytes") return null;
  if (clean.base64 !== recorded.base64)
    return "secrets in this binary body are replaced with asterisks: the site may reject it";
  if (packed.test(recorded.base64))
    return "this compressed body was not searched: it is sent as recorded and may contain secrets";
  return null;
}

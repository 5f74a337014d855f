import { decodeBase64, decodeUtf8 } from "@bearhug/text/secrets/decoded-view";

/** Returns true for base64 of either alphabet. Line breaks are allowed. */
export function isBase64(text: string): boolean {
  const compact = text.replace(/\s+/g, "");
  return /^[A-Za-z0-9+/_-]*={0,2}$/.test(compact) && compact.replace(/=+$/, "").length % 4 !== 1;
}

/** Returns the text that base64 encodes; null if it is not base64, or its bytes are not text. */
export function readBase64Text(base64: string): string | null {
  if (!isBase64(base64) || /^[\s=]*$/.test(base64)) return null;
  const bytes = decodeBase64(base64);
  return /[^\s\x20-\x7e\x80-\xff]/.test(bytes) ? null : decodeUtf8(bytes);
}

import { decodeBase64, decodeUtf8 } from "@bearhug/sdk/internal";
import { isBase64 } from "../read/is-base64.ts";

/** The text that base64 stands for; null where it is none, or of bytes that are no text. */
export function readBase64Text(base64: string): string | null {
  const compact = base64.replace(/\s+/g, "").replace(/={1,2}$/, "");
  if (compact === "" || !isBase64(compact)) return null;
  const bytes = decodeBase64(compact);
  return /[^\s\x20-\x7e\x80-\xff]/.test(bytes) ? null : decodeUtf8(bytes);
}

import { isBase64 } from "../read/is-base64.ts";
import { decodeBase64 } from "./decoded-view.ts";

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** The text that base64 stands for; null where it is none, or of bytes that are no text. */
export function readBase64Text(base64: string): string | null {
  const compact = base64.replace(/\s+/g, "").replace(/={1,2}$/, "");
  if (compact === "" || !isBase64(compact)) return null;
  const bytes = decodeBase64(compact);
  if (!/^[\s\x20-\x7e\x80-\xff]+$/.test(bytes)) return null;
  try {
    return strictUtf8.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    return null;
  }
}

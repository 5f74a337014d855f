import { isBase64 } from "../read/is-base64.ts";
import { decodeBase64 } from "../secrets/decoded-view.ts";
import type { Redactor } from "./redactor.ts";
import { redactPairs } from "./redact-url.ts";

const textType =
  /^\s*(?:text\/|application\/(?:[\w.-]*\+)?(?:json|xml|javascript|x-javascript|ecmascript|graphql|x-ndjson|x-www-form-urlencoded)|image\/svg|multipart\/)/i;
/** Written by a site's developers: random words in it are names of files. */
const codeType = /javascript|ecmascript|css|svg/i;
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** A text that was sent or answered, without secrets, by what it is. */
export function redactBody(text: string, mimeType: string, redactor: Redactor): string {
  const isForm = /x-www-form-urlencoded/i.test(mimeType) && !/[\r\n{<]/.test(text);
  return isForm
    ? redactPairs(text, redactor)
    : redactor.text(text, "", { mayBeRandom: codeType.test(mimeType) });
}

/** The text that base64 stands for; null for pictures and other bytes. */
export function readText(base64: string, mimeType: string): string | null {
  if (!isBase64(base64) || (mimeType !== "" && !textType.test(mimeType))) return null;
  const bytes = decodeBase64(base64.replace(/[\s=]+/g, ""));
  try {
    return strictUtf8.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    return null;
  }
}

/** Whether a body of this type is shown at all: pictures of people are not, nor is what no one can look into. */
export function isTextType(mimeType: string): boolean {
  return mimeType === "" || textType.test(mimeType);
}

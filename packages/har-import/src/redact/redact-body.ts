import { readBase64Text } from "../secrets/base64-text.ts";
import type { Redactor } from "./redactor.ts";
import { redactPairs } from "./redact-url.ts";

const textType =
  /^\s*(?:text\/|application\/(?:[\w.-]*\+)?(?:json|xml|javascript|x-javascript|ecmascript|graphql|x-ndjson|x-www-form-urlencoded)|image\/svg|multipart\/)/i;
/** Written by a site's developers: random words in it are names of files. */
const codeType = /javascript|ecmascript|css|svg/i;

/** A text that was sent or answered, without secrets, by what it is. */
export function redactBody(text: string, mimeType: string, redactor: Redactor): string {
  const isForm = /x-www-form-urlencoded/i.test(mimeType) && !/[\r\n{<]/.test(text);
  return isForm
    ? redactPairs(text, redactor)
    : redactor.text(text, "", { mayBeRandom: codeType.test(mimeType) });
}

/** The text that base64 stands for; null for pictures and other bytes. */
export function readText(base64: string, mimeType: string): string | null {
  return isTextType(mimeType) ? readBase64Text(base64) : null;
}

/** Whether a body of this type is shown at all: pictures of people are not, nor is what no one can look into. */
export function isTextType(mimeType: string): boolean {
  return mimeType === "" || textType.test(mimeType);
}

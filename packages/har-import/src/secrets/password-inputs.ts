import { readBase64Text } from "../base64.ts";
import type { CaptureEntry } from "../capture.ts";
import { findPasswordInputs } from "./login-fields.ts";

const mayHold = /password/i;

/**
 * Returns the names of the fields that a page displays as passwords, whatever the response's type: HTML also
 * comes in JSON.
 */
export function passwordInputsOf({ response }: CaptureEntry): string[] {
  const body = response?.body ?? null;
  if (body === null) return [];
  const text =
    "text" in body ? body.text : /html/i.test(response?.mimeType ?? "") ? readBase64Text(body.base64) : null;
  return text !== null && mayHold.test(text) ? findPasswordInputs(text) : [];
}

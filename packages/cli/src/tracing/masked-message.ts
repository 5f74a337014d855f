import { bodyKindOfHeaders } from "@bearhug/plan/body-kind";
import { displayHeader } from "@bearhug/plan/clients/display-header";
import type { TracedMessage } from "@bearhug/plan/clients/tracer";
import type { Mask } from "@bearhug/text/secret-mask";

import { readText } from "./read-text.ts";

const maxHeaderCharacters = 200;
const maxBodyCharacters = 1000;

/** Returns a message's headers, with secrets masked and long values truncated. */
export function shownHeaders({ headers }: TracedMessage, mask: Mask): [name: string, value: string][] {
  return headers.map(([name, value]) => displayHeader(name, value, mask, maxHeaderCharacters));
}

/** Returns the beginning of a body, with secrets masked; null if there is none, or it is not text. */
export function shownBody(
  { body, headers }: TracedMessage,
  mask: Mask,
): { readonly text: string; readonly isCut: boolean } | null {
  const text = body === null ? null : readText(body);
  return text === null ? null : mask.excerpt(text, maxBodyCharacters, { kind: bodyKindOfHeaders(headers) });
}

/** Returns an extracted value, or asterisks if it is a secret. */
export function shownValue(extractor: string, value: string, mask: Mask): string {
  return isSecretValue(extractor, value, mask) ? "***" : mask.excerptWithEllipsis(value, maxHeaderCharacters);
}

/** True if a value is secret by the name that it was found under, which the value alone does not reveal. */
function isSecretValue(extractor: string, value: string, mask: Mask): boolean {
  const [, name = ""] = /([^".\s[\]]+)"?$/.exec(extractor) ?? [];
  const named = JSON.stringify({ [name]: value });
  return mask.hide(named) !== named;
}

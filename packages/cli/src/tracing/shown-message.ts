import { bodyKindUnder } from "@bearhug/plan/body-kind";
import { shownHeader } from "@bearhug/plan/clients/shown-headers";
import type { TracedMessage } from "@bearhug/plan/clients/tracer";
import type { Mask } from "@bearhug/text/secret-mask";

import { readText } from "./read-text.ts";

const mostHeaderCharacters = 200;
const mostBodyCharacters = 1000;

/** The headers of a message without secrets; long values are cut. */
export function shownHeaders({ headers }: TracedMessage, mask: Mask): [name: string, value: string][] {
  return headers.map(([name, value]) => shownHeader(name, value, mask, mostHeaderCharacters));
}

/** The beginning of a body without secrets; null where there is none or it is not a text. */
export function shownBody(
  { body, headers }: TracedMessage,
  mask: Mask,
): { readonly text: string; readonly isCut: boolean } | null {
  const text = body === null ? null : readText(body);
  return text === null ? null : mask.excerpt(text, mostBodyCharacters, { kind: bodyKindUnder(headers) });
}

/** A value that was extracted, or asterisks where it is a secret. */
export function shownValue(sought: string, value: string, mask: Mask): string {
  return isSecretValue(sought, value, mask) ? "***" : mask.begin(value, mostHeaderCharacters);
}

/** By itself a value does not show that it is a secret; the name that it was found under may. */
function isSecretValue(sought: string, value: string, mask: Mask): boolean {
  const [, name = ""] = /([^".\s[\]]+)"?$/.exec(sought) ?? [];
  const named = JSON.stringify({ [name]: value });
  return mask.hide(named) !== named;
}

import { mergeSpans, replaceSpans, type Span } from "@bearhug/sdk/internal";
import { exampleEmail, findEmails } from "./emails.ts";
import { findSecretLooks } from "./secret-looks.ts";
import type { KnownSecrets } from "./known-secrets.ts";
import { findPathTokens } from "./path-tokens.ts";
import { SeenTexts } from "./seen-texts.ts";

/** Replaces a secret where no variable can. */
export const masked = "***";

/** A text for people, or a name: what is known to be secret or looks so is masked, addresses of people are replaced. */
export function maskText(text: string, known: KnownSecrets): string {
  const spans = mergeSpans([...known.find(text).map(asMasked), ...findByLooks(text)]);
  return spans.length === 0 ? text : replaceSpans(text, spans, ({ replacement }) => replacement);
}

const harmless = new SeenTexts();

/** Finds texts that look secret, known or not, and e-mail addresses. */
function findByLooks(text: string): Replaced[] {
  if (harmless.has(text)) return [];
  const found = [
    ...[...findSecretLooks(text), ...findPathTokens(text)].map(asMasked),
    ...findEmails(text).map((span) => ({ ...span, replacement: exampleEmail })),
  ];
  if (found.length === 0) harmless.add(text);
  return found;
}

interface Replaced extends Span {
  readonly replacement: string;
}

function asMasked({ start, end }: Span): Replaced {
  return { start, end, replacement: masked };
}

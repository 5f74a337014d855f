import { mergeSpans, replaceSpans } from "@bearhug/sdk";
import { exampleEmail, findEmails } from "./emails.ts";
import { findSecretLooks } from "./secret-values.ts";
import type { KnownSecrets } from "./known-secrets.ts";
import { findPathTokens } from "./path-tokens.ts";

/** What stands for a secret where no variable can. */
export const masked = "***";

/** A text for people, or a name: what is known to be secret or looks so is masked, addresses of people are replaced. */
export function maskText(text: string, known: KnownSecrets): string {
  const spans = mergeSpans([
    ...[...known.find(text), ...findSecretLooks(text), ...findPathTokens(text)].map(({ start, end }) => ({
      start,
      end,
      replacement: masked,
    })),
    ...findEmails(text).map((span) => ({ ...span, replacement: exampleEmail })),
  ]);
  return spans.length === 0 ? text : replaceSpans(text, spans, ({ replacement }) => replacement);
}

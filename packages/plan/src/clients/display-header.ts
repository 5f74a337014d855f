import type { Mask } from "@bearhug/text/secret-mask";
import { isSecretHeader } from "@bearhug/text/secrets/secret-names";

const stars = "***";
const scheme = /^(?:Bearer|Basic|Digest|Negotiate|AWS4-HMAC-SHA256) /i;

/** Returns a header for display: a credential is masked, except for its scheme, and a long value is cut. */
export function displayHeader(
  name: string,
  value: string,
  mask: Mask,
  maxCharacters: number,
): [name: string, value: string] {
  const shown = isSecretHeader(name)
    ? `${scheme.exec(value)?.[0] ?? ""}${stars}`
    : mask.excerptWithEllipsis(value, maxCharacters);
  return [mask.excerptWithEllipsis(name, maxCharacters), shown];
}

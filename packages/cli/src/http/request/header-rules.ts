import { headerRefusal, isSingularHeader } from "@bearhug/sdk/internal";

import { invalid } from "./plain-value.ts";

const token = /^[!#$%&'*+.^_`|~\w-]+$/;
const control = /[^\t\x20-\x7e\x80-\u{10ffff}]/u;
const latin1 = /^[\0-\xff]*$/;

/**
 * The value of a header that a test gives, if it can be written; adds its name to those `given`. What is wrong is said
 * without the value, which may be a secret.
 * @throws {RequestFault}
 */
export function checkHeader(name: string, value: unknown, given: Set<string>): string {
  if (!token.test(name)) {
    throw invalid(
      `headers: ${JSON.stringify(name)} is not a valid header name: use letters, digits and hyphens.`,
    );
  }
  if (typeof value !== "string") throw invalid(`headers: ${name} must be a string or an array of strings.`);
  if (control.test(value))
    throw invalid(`headers: ${name} contains a line break or another control character.`);
  if (!latin1.test(value)) {
    throw invalid(
      `headers: ${name} contains a character that headers can't carry (beyond Latin-1): encode it, for example with encodeURIComponent.`,
    );
  }
  const lower = name.toLowerCase();
  const reason = headerRefusal(lower, value);
  if (reason !== undefined) throw invalid(`headers: ${name}: ${reason}`);
  if (isSingularHeader(lower) && given.has(lower)) throw invalid(`headers: ${name} is given more than once.`);
  given.add(lower);
  return value;
}

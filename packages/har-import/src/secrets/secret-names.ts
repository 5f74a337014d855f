/** Any name with one of these inside, separators left out, is a secret's: `accessToken`, `user[password]`, `PHPSESSID`. */
const telltale =
  /passw|passphrase|secret|token|apikey|accesskey|privatekey|session|sessid|csrf|xsrf|signature|assertion|credential|saml|jwt|cookie/;

/** Short or common: secret only as a word of their own, so that `shipping` and `discard` are not. */
const secretWords = new Set(
  "auth authorization oauth pass pwd sid otp pin ssn card cvv cvc iban code verifier challenge nonce state sig key".split(
    " ",
  ),
);

const secretHeader =
  /^(authorization|proxy-authorization|cookie2?|set-cookie2?|x-api-key|x-auth-.*|x-csrf.*|x-xsrf.*|x-amz-security-token|x-goog-.*|.*-token|.*-secret|.*-key|.*-signature)$/;

/** Whether what goes by this name (of a query parameter, a form field, a cookie) must never be shown. */
export function isSecretName(name: string): boolean {
  const words = splitWords(name);
  return telltale.test(words.join("")) || words.some((word) => secretWords.has(word));
}

/** Whether a header of this name carries who somebody is or what they may do. */
export function isSecretHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return secretHeader.test(lower) || telltale.test(lower.replace(/[^a-z]/g, ""));
}

/** `userAPIKey[new-pin]` → user, api, key, new, pin. */
function splitWords(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
}

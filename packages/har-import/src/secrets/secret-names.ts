/** Any name with one of these inside, separators left out, is a secret's: `accessToken`, `user[password]`, `PHPSESSID`. */
const telltale =
  /passw|passphrase|secret|token|apikey|accesskey|privatekey|session|sessid|csrf|xsrf|signature|assertion|credential|saml|jwt|cookie/;

/** Short or common: secret only as a word of their own, so that `shipping` and `discard` are not. */
const secretWords = new Set(
  "auth authorization oauth pass pwd sid otp pin ssn card cvv cvc iban code verifier challenge nonce state sig key".split(
    " ",
  ),
);

/** What a person knows by heart: secret however short and plain it is. */
const passwordWords = new Set("pass pwd otp pin ssn cvv cvc iban passphrase".split(" "));

/** Mean something harmless as often as not: `code=US`, `state=open`, `key=name`. */
const ambiguousWords = new Set("auth card challenge code key state".split(" "));
/** Before `code`, `state` or `key`, these say what it is of: `postal_code`, `error-code`, `sortKey`. */
const harmlessBefore = new Set(
  "zip post postal country currency language lang locale region area status error response color colour product sku sort".split(
    " ",
  ),
);

/** What every such name has in it: most names have not, and need no further look. */
const anyTelling =
  /pass|pwd|phrase|secret|token|key|sess|sid|srf|sig|assertion|cred|saml|jwt|cookie|auth|otp|pin|ssn|card|cv[vc]|iban|code|verif|chall|nonce|state/i;

const secretHeader =
  /^(authorization|proxy-authorization|cookie2?|set-cookie2?|x-api-key|x-auth-.*|x-csrf.*|x-xsrf.*|x-amz-security-token|x-goog-.*|.*-token|.*-secret|.*-key|.*-signature)$/;

/** With one of these in its name, a number says how many or how long: `max_tokens=4096`, `session-timeout`. */
const measures = new Set(
  "max min count limit timeout ttl length expires expiry age duration lifetime size total number version".split(
    " ",
  ),
);
/** A name that ends so says of which kind the secret is: `token_type=bearer`, `code_challenge_method=S256`. */
const kinds = new Set("type method mode format".split(" "));

/** What no secret is, whatever its name: a switch, an absent value, too little to be one. */
const switchValue = /^(true|false|null|undefined|none|.{0,2})$/is;
/** One word, as a person writes it; what was made to be secret has digits, or is longer. */
const ordinaryWord = /^(?:[a-z]{1,12}|[A-Z]{1,12}|[A-Z][a-z]{1,11})$/;
const ordinaryWords = /^(?:[A-Za-z]{1,10}(?: [A-Za-z]{1,10})?|.{0,3})$/s;

/** Whether what goes by this name (of a query parameter, a form field, a cookie) must never be shown. */
export function isSecretName(name: string): boolean {
  if (!anyTelling.test(name)) return false;
  const words = splitWords(name);
  return telltale.test(words.join("")) || words.some((word) => secretWords.has(word));
}

/** Whether a header of this name carries who somebody is or what they may do. */
export function isSecretHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return secretHeader.test(lower) || telltale.test(lower.replace(/[^a-z]/g, ""));
}

/** Whether a name is that of something a person knows by heart, such as a password. */
export function isPasswordName(name: string): boolean {
  const words = splitWords(name);
  return words.join("").includes("passw") || words.some((word) => passwordWords.has(word));
}

/**
 * Whether a value is secret because of its name. Switches (`remember_password=1`) never are; measures and kinds
 * (`max_tokens=4096`, `token_type=bearer`) neither; words under a name of several meanings (`state=open`) are none.
 */
export function isSecretUnder(name: string, value: string, isHeader = false): boolean {
  const text = value.trim();
  const byHeader = isHeader && isSecretHeader(name);
  if (!byHeader && !isSecretName(name)) return false;
  if (isPasswordName(name)) return text !== "" && !/^(true|false|null|on|off|yes|no|0|1)$/i.test(text);
  if (switchValue.test(text)) return false;
  const words = splitWords(name);
  if (/^\d+$/.test(text) && words.some((word) => measures.has(word))) return false;
  if (/^[\w-]{1,20}$/.test(text) && kinds.has(words.at(-1) ?? "")) return false;
  return byHeader || !isAmbiguous(words) || !isHarmless(words, text);
}

function isAmbiguous(words: readonly string[]): boolean {
  if (telltale.test(words.join(""))) return false;
  return words.every((word) => !secretWords.has(word) || ambiguousWords.has(word));
}

function isHarmless(words: readonly string[], text: string): boolean {
  return words.some((word) => harmlessBefore.has(word)) || ordinaryWords.test(text);
}

/** Whether a text is a word such as any page or program has many of: to look for it elsewhere would find chance. */
export function isOrdinaryWord(text: string): boolean {
  return ordinaryWord.test(text);
}

/** `userAPIKey[new-pin]` → user, api, key, new, pin. */
export function splitWords(name: string): string[] {
  return name
    .slice(0, 200)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
}

import { isPlainWords } from "./plain-words.ts";
import { decodeUtf8 } from "./decoded-view.ts";

/**
 * Parts that mark a name as that of a secret, ignoring separators: `accessToken`, `user[password]`,
 * `PHPSESSID`.
 */
const telltale = new RegExp(
  [
    "passw|passphrase|passcode|passkey|pincode|userpass|userpwd|newpwd|oldpwd|pswd|seedphrase|mnemonic|totp",
    "secret|token|sessid|usersid|csrf|xsrf|wpnonce|assertion|saml|jwt|hmac|session(?:id|key|hash)|relaystate|signedrequest",
    "(?:api|access|private|auth|app|subscription|recovery|encryption|signing|master|license|account)key",
    "(?:auth|verification|security|access|recovery|backup|card)code|securityanswer|oauthverifier|loginstate|authsig",
    "(?:card|credit|debit|cc|account|acct|iban|ssn)(?:number|num|no$)|creditcard|debitcard|taxid|socialsecurity",
  ].join("|"),
);
/** Parts that are as common in harmless names: plain words under such a name are no secrets. */
const softTelltale = /session|signature|credential|cookie/;

/**
 * Short or common parts: they mark a secret only as a whole word, so that `shipping` and `discard` are
 * harmless.
 */
const secretWords = new Set(
  "authorization oauth pass pwd pw sid otp pin ssn cvv cvc csc iban verifier bearer".split(" "),
);
/** Words that are harmless as often as not: `code=US`, `state=open`, `key=name`. */
const ambiguousWords = new Set("auth card challenge code key state nonce sig mfa ticket pan".split(" "));

/** Names of secrets that people memorize: the value is secret even if it is short or a plain word. */
const passwordWords = new Set("pass pwd pw otp totp pin ssn cvv cvc csc iban mnemonic".split(" "));
const passwordInside =
  /passw|passphrase|passcode|pincode|userpass|userpwd|newpwd|oldpwd|pswd|seedphrase|cardcode|totp/;

/**
 * Words for a password or PIN in other languages, without diacritics. Words with other meanings are left out:
 * `clave`, `parola`, `parole`.
 */
const foreignPassword = new RegExp(
  plainLetters(
    [
      "kennwort|losungswort|geheimzahl|wachtwoord|toegangscode|motdepasse|contrasena|contrasenya|novasenha|palavrapasse",
      "lösenord|adgangskode|salasana|slaptazod|jelszo|lozink|matkhau|katasandi|пароль|пароля|лозинк|гасло",
      "κωδικοςπροσβασης|συνθηματικο|סיסמה|סיסמא|كلمةالمرور|كلمةالسر|رمزعبور|گذرواژه",
      "密码|密碼|口令|暗証番号|パスワード|비밀번호|암호|รหัสผ่าน",
    ].join("|"),
  ),
);
const foreignPasswordWords = new Set("mdp senha passord haslo heslo geslo sifre parool".split(" "));
/** Words for a key, a word or a code, which mean a password only next to the name of a user. */
const passwordWordsNextToUser = new Set(
  "clave parola parole llave code codigo codice kod slowo фраза код"
    .split(" ")
    .map((word) => plainLetters(word)),
);
const foreignToken = new RegExp(
  plainLetters("geheimnis|segredo|apischlüssel|cléapi|токен|令牌|密钥|密鑰|トークン|토큰"),
);

/** Words that contain `secret`, `token` or the like by chance. */
const harmlessInside = /secretar(?:y|ies|iat)|tokeni[sz]\w{0,6}|passwordless|possession|obsession/g;
/** A position in a list, not a credential. */
const pageToken = /(?:page|next|prev|previous|continuation|sync|cursor|resume)tokens?$/;
/** Words that make `code`, `state` or `key` harmless: `postal_code`, `error-code`, `sortKey`. */
const harmlessQualifiers = new Set(
  [
    "zip post postal country county currency language lang locale region area city province status error response",
    "color colour product sku sort order group cache primary foreign public row theme item object promo coupon course",
    "airline airport station hs tariff dial calling source sample qr bar build view app i n partition",
  ].flatMap((names) => names.split(" ")),
);
const harmlessJoined =
  /^(?:zip|postal|post|country|currency|language|status|error|promo|source|qr|bar|dial)code$/;
const qualifiedWords = new Set(["code", "key", "state"]);

/** A longer text is no name: only its beginning is checked. */
const maxNameCharacters = 200;
/** Every name of a secret contains a match. Most names do not, and need no further check. */
const anySecretPart =
  /pass|pwd|pswd|pw|phrase|secret|token|key|sess|sid|srf|sig|assertion|cred|saml|jwt|cookie|auth|otp|pin|ssn|card|cc|pan|cv[vc]|csc|iban|code|verif|chall|nonce|state|mfa|hmac|ticket|mnemonic|bearer|account|acct|debit|tax|security|kenn|losung|geheim|wacht|mdp|contras|senha|palavra|losen|adgang|salas|slapta|haslo|heslo|geslo|jelsz|lozin|sifre|parool|khau|sandi|segredo|schlu|cleapi|[^\0-\x7f]|%[c-f][\da-f]/i;
const secretHeader =
  /^(?:authorization|proxy-authorization|cookie2?|set-cookie2?|x-api-key|x-auth-.*|x-authentication.*|x-csrf.*|x-xsrf.*|x-amz-security-token|x-goog-.*|x-ticket|x-remember-me|cf-access-.*|.*-token|.*-secret|.*-key|.*-signature)$/;

/**
 * With one of these words in its name, a number is a measure: `max_tokens=4096`, `session-timeout`,
 * `tokens_per_second=41.5`.
 */
const measures = new Set(
  [
    "max min count limit timeout ttl length expires expiry age duration lifetime size total version",
    "ms millis milliseconds seconds secs minutes hours days bytes kb mb per rate ratio percent avg average mean median",
    "sum usage used budget latency tokens",
  ].flatMap((names) => names.split(" ")),
);
const maxMeasureDigits = 14;
/** A decimal fraction is not a credential. */
const decimal = /^-?\d{1,12}\.\d{1,20}(?:e-?\d{1,3})?$/i;
/**
 * Last words of names that describe a property of a secret: `token_type=bearer`, `sessionTitle`,
 * `cookieConsent=accepted`.
 */
const properties = new Set(
  [
    "type method mode format kind policy provider issuer title symbol layout consent protection date duration required",
    "enabled disabled version label status strength count scheme algorithm alg brand expiry field param header day",
    "url urls uri uris endpoint href",
  ].flatMap((names) => names.split(" ")),
);

/** Values that look generated but are public: a date, a time, an address without path or query. */
const publicShape =
  /^(?:\d{4}-\d\d(?:-\d\d(?:T[\d:.]{1,20}Z?)?)?|\d{1,2}:\d\d(?::\d\d)?|https?:\/\/[\w./:-]{1,500})$/;

/** Values that are never secret, under any name: a switch, an absent value, one or two characters. */
const switchValue = /^(true|false|null|undefined|none|.{0,2})$/is;
const passwordSwitch = /^(true|false|null|on|off|yes|no|0|1|…)$/i;

/** Returns false for most texts that contain no name of a secret: a fast check before the others. */
export function mayNameSecret(text: string): boolean {
  return anySecretPart.test(text);
}

/**
 * Returns true for the name of an environment variable whose value must never be shown, even if it is not
 * declared secret.
 */
export function isSecretVariable(name: string): boolean {
  return /token|secret|key/i.test(name) || isPasswordName(name) || foreignToken.test(wordsIn(name).join(""));
}

/** Returns true if the value of a query parameter, form field or cookie of this name must never be shown. */
export function isSecretName(name: string): boolean {
  return weightOf(name) !== "none";
}

/**
 * Returns true for a name that is often harmless: a value that only this name marks as secret is not masked
 * elsewhere.
 */
export function isAmbiguousName(name: string): boolean {
  return weightOf(name) === "ambiguous";
}

/** Returns true for a header that carries credentials. */
export function isSecretHeader(name: string): boolean {
  const lower = name.toLowerCase();
  if (secretHeader.test(lower)) return true;
  const joined = lower.replace(/[^a-z]/g, "");
  return telltale.test(joined) || softTelltale.test(joined);
}

/** Returns true for the name of a secret that people memorize, such as a password. */
export function isPasswordName(name: string): boolean {
  const words = wordsIn(name);
  const joined = words.join("");
  return (
    passwordInside.test(joined.replace(harmlessInside, "")) ||
    foreignPassword.test(joined) ||
    words.some((word) => passwordWords.has(word) || foreignPasswordWords.has(word))
  );
}

/** Returns true for a name that means a password next to the name of a user: `clave`, `code`. */
export function isPasswordNextToUser(name: string): boolean {
  const words = wordsIn(name);
  return (
    words.some((word) => passwordWordsNextToUser.has(word)) &&
    !words.some((word) => harmlessQualifiers.has(word))
  );
}

/**
 * Returns true for a value that is secret because of its name. Never secret are switches
 * (`remember_password=1`), measures and properties (`max_tokens=4096`, `token_type=bearer`), and plain words
 * under an ambiguous name (`state=in_progress`).
 */
export function isSecretValue(name: string, value: string, isHeader = false): boolean {
  const text = value.trim();
  if (isPosition(name, text)) return false;
  const byHeader = isHeader && isSecretHeader(name);
  const weight = byHeader ? "sure" : weightOf(name);
  if (weight === "none") return false;
  const words = wordsIn(name);
  if (!byHeader && properties.has(words.at(-1) ?? "") && isPublicValue(text)) return false;
  if (isPasswordName(name)) return isPasswordUnder(words, text);
  if (switchValue.test(text) || isMeasure(words, text) || isSchemeAlone(text)) return false;
  if (/^[\w-]{1,20}$/.test(text) && /^(?:type|method|mode|format)$/.test(words.at(-1) ?? "")) return false;
  return weight === "sure" || !(isPublicValue(text) || text.length <= 3);
}

const schemeAlone = /^[\s`]*(?:bearer|basic|digest|negotiate|token|apikey|aws4-hmac-sha256)\s*\$?$/i;

/** Returns true for a scheme without its token, as in the literal of `"Bearer " + token`. */
export function isSchemeAlone(text: string): boolean {
  return schemeAlone.test(text);
}

/** True for a position in a source file: `password-reset.ts:12:34`. */
function isPosition(name: string, text: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(name) && /^\d{1,7}(?::\d{1,7})?:?$/.test(text);
}

function isPublicValue(text: string): boolean {
  return isPlainWords(text) || publicShape.test(text);
}

/**
 * True for the value of a password or PIN. `pass: 12` is a count of passed tests, and `pin: "top"` a
 * position.
 */
function isPasswordUnder(words: readonly string[], text: string): boolean {
  if (text === "" || passwordSwitch.test(text) || isMeasure(words, text)) return false;
  const last = words.at(-1);
  if (last === "pass") return !/^\d{1,3}$/.test(text);
  return last !== "pin" || !/^[a-z]{1,8}$/.test(text);
}

function isMeasure(words: readonly string[], text: string): boolean {
  const isNumber = text.length <= maxMeasureDigits ? /^-?\d+(?:\.\d+)?$/.test(text) : decimal.test(text);
  return isNumber && words.some((word) => measures.has(word));
}

/** Returns how certainly a name is that of a secret. */
function weightOf(name: string): "none" | "ambiguous" | "sure" {
  if (!anySecretPart.test(name.slice(0, maxNameCharacters))) return "none";
  const words = wordsIn(name);
  const joined = words.join("").replace(harmlessInside, "").replace(pageToken, "");
  if (
    foreignPassword.test(joined) ||
    foreignToken.test(joined) ||
    words.some((word) => foreignPasswordWords.has(word))
  )
    return "sure";
  if (telltale.test(joined) || words.some((word) => secretWords.has(word))) return "sure";
  if (softTelltale.test(joined)) return "ambiguous";
  const ambiguous = words.filter((word) => ambiguousWords.has(word));
  if (ambiguous.length === 0) return "none";
  const isQualified = words.some((word) => harmlessQualifiers.has(word)) || harmlessJoined.test(joined);
  return isQualified && ambiguous.every((word) => qualifiedWords.has(word)) ? "none" : "ambiguous";
}

/** Splits a name into its words of Latin letters: `userAPIKey[new-pin]` → user, api, key, new, pin. */
export function splitWords(name: string): string[] {
  return spaced(name)
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
}

/** Like `splitWords`, but with the letters of every script. */
function wordsIn(name: string): string[] {
  return spaced(name)
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== "");
}

/** Converts a name to lower case, with a space before each word that began with a capital. */
function spaced(name: string): string {
  return plainLetters(name.slice(0, maxNameCharacters))
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase();
}

/** Letters that Unicode does not decompose into a plain letter and a mark. */
const indivisibleLetters: Readonly<Record<string, string>> = {
  ł: "l",
  ø: "o",
  đ: "d",
  ð: "d",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ı: "i",
  Ł: "L",
  Ø: "O",
  Đ: "D",
  Ð: "D",
  Æ: "AE",
  Œ: "OE",
};

/** Removes diacritics from a name, which may be percent-encoded: `Contrase%C3%B1a` → Contrasena. */
function plainLetters(name: string): string {
  if (!/[%\x80-\uffff]/.test(name)) return name;
  return decodeName(name)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[łøđðßæœıŁØĐÐÆŒ]/g, (letter) => indivisibleLetters[letter] ?? letter);
}

/** Decodes percent-encoding and UTF-8 bytes. */
function decodeName(name: string): string {
  const bytes = name.replace(/%([\dA-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return /[^\0-\xff]/.test(bytes) ? bytes : (decodeUtf8(bytes) ?? bytes);
}

import { expect, test } from "vitest";
import { isSecretName } from "../../src/secrets/secret-names.ts";
import { looksSecret } from "../../src/secrets/secret-values.ts";

test.each([
  ...[
    "password",
    "user[password]",
    "passwd",
    "new-passphrase",
    "client_secret",
    "accessToken",
    "API-Key",
    "apiKey",
  ],
  ...[
    "auth",
    "OAuth",
    "PHPSESSID",
    "sessionId",
    "sid",
    "csrfmiddlewaretoken",
    "_xsrf",
    "otp",
    "userPin",
    "ssn",
  ],
  ...[
    "card_number",
    "CVV",
    "iban",
    "X-Amz-Signature",
    "client_assertion",
    "code",
    "code_verifier",
    "nonce",
    "state",
  ],
  ...["SAMLResponse", "jwt"],
])("%s names a secret", (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each([
  "shipping",
  "discard",
  "inside",
  "author",
  "encode",
  "estate",
  "page",
  "q",
  "lang",
  "size",
  "keyword",
])("%s names no secret", (name) => {
  expect(isSecretName(name)).toBe(false);
});

test.each([
  "530e5ff1-7b5e-4441-b4c2-31f9c84f5aba",
  "kq8Jd72hLpQ0zXv5Tn3M",
  "the key is 9f86d081884c7d659a2feaa0c55ad015!",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
])("%s looks like a secret", (value) => {
  expect(looksSecret(value)).toBe(true);
});

test.each([
  "setCookiesAndRedirect",
  "poweredby_mediawiki_88x31",
  "Schlafanzug-fuer-Maedchen-Gr-116",
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8",
  "2026-11-20T20:00:00.000Z",
  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  "a sentence of which nobody need be afraid",
])("%s does not", (value) => {
  expect(looksSecret(value)).toBe(false);
});

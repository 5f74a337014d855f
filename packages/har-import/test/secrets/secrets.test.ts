import { isSecretName, isSecretValue } from "@bearhug/text/secrets/secret-names";
import { expect, test } from "vitest";
import { findEmails } from "../../src/secrets/emails.ts";
import { findSecrets } from "../../src/secrets/find-secrets.ts";
import { findSecretLooks, looksSecret } from "../../src/secrets/secret-looks.ts";

test.each([
  "password",
  "user[password]",
  "passwd",
  "new-passphrase",
  "client_secret",
  "accessToken",
  "API-Key",
  "apiKey",
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
  "card_number",
  "CVV",
  "iban",
  "X-Amz-Signature",
  "client_assertion",
  "code",
  "code_verifier",
  "nonce",
  "state",
  "SAMLResponse",
  "jwt",
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
])("%s does not name a secret", (name) => {
  expect(isSecretName(name)).toBe(false);
});

test.each([
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
  "530e5ff1-7b5e-4441-b4c2-31f9c84f5aba",
  "Basic plan, billed monthly",
  "----WebKitFormBoundary7MA4YWxkTrZu0gW",
  "data:image/png;base64,kq8Jd72hLpQ0zXv5Tn3Mkq8Jd72hLpQ0zXv5Tn3M",
  "20261120200000123456789",
])("%s does not look like a secret", (value) => {
  expect(looksSecret(value)).toBe(false);
});

test.each([
  ["password", "shop"],
  ["pin", "1234"],
  ["cvv", "123"],
  ["code", "4/0AX4XfWh"],
  ["code", "123456"],
  ["state", "xyz-17"],
  ["token", "abc"],
  ["max_tokens", "none-of-it"],
])("%s=%s is a secret because of its name", (name, value) => {
  expect(isSecretValue(name, value)).toBe(true);
});

test.each([
  ["code", "US"],
  ["state", "CA"],
  ["state", "open"],
  ["state", "New York"],
  ["key", "name"],
  ["postal_code", "10115"],
  ["remember_password", "true"],
  ["has_token", "1"],
  ["max_tokens", "4096"],
  ["token_type", "bearer"],
  ["code_challenge_method", "S256"],
  ["csrf", ""],
])("%s=%s is not a secret", (name, value) => {
  expect(isSecretValue(name, value)).toBe(false);
});

test("only the parts of a text that look like secrets are found", () => {
  const text = "Bearer abc.def1; see ghp_16C7e42F292c6912E7 and kq8Jd72hLpQ0zXv5Tn3M!";
  const pieces = findSecretLooks(text).map(({ start, end }) => text.slice(start, end));
  expect(pieces).toEqual(["abc.def1", "ghp_16C7e42F292c6912E7", "kq8Jd72hLpQ0zXv5Tn3M"]);
});

test("e-mail addresses are found, but not example addresses or other texts with an @", () => {
  const text = "to=jo.e+x@mail.shop.test, user@example.com icon@2x.png react@17.0.2 @scope/pack <a@b.de>";
  const pieces = findEmails(text).map(({ start, end }) => text.slice(start, end));
  expect(pieces).toEqual(["jo.e+x@mail.shop.test", "a@b.de"]);
});

test("e-mail addresses are found with and beside letters of other languages", () => {
  const text = "Jürgen@firma.example, иван@пример.example 联系joe@shop.test。";
  const pieces = findEmails(text).map(({ start, end }) => text.slice(start, end));
  expect(pieces).toEqual(["Jürgen@firma.example", "иван@пример.example", "joe@shop.test"]);
});

test("a value that is harmless in a field may be secret in a header of that name", () => {
  expect(findSecrets("shelf 12", "x-session")).toEqual([]);
  expect(findSecrets("shelf 12", "x-session", { isHeader: true })).toHaveLength(1);
});

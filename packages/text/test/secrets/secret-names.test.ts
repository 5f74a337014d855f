import { expect, test } from "vitest";
import { findNamedSecrets } from "../../src/secrets/find-named-secrets.ts";
import {
  isPasswordName,
  isSecretName,
  isSecretValue,
  isSecretVariable,
} from "../../src/secrets/secret-names.ts";

const lists = {
  "a secret that people know by heart":
    "passcode pincode userpass newpwd userpwd totp pw pswd seedPhrase mnemonic cvv2 csc cardcode",
  "a secret that programs use":
    "passkey authkey appkey subscriptionkey _wpnonce authcode verificationcode oauthverifier loginstate authsig usersid hmac",
  "a number of an account":
    "cardNumber card_number creditcard cardnumber accountNumber ssnNumber ibanNumber pinNumber sid_number",
} as const;

test.each(Object.entries(lists))("%s is recognized, however its name is composed", (_what, names) => {
  for (const name of names.split(" ")) {
    expect(isSecretValue(name, "Zq1037w!x"), name).toBe(true);
    expect(isSecretValue(name, "4111000000007919"), name).toBe(true);
  }
});

test.each(["session_number", "tokenVersion", "csrfTotal", "authNumber", "ssn_total", "otpNumber"])(
  "a number of sixteen digits is not a measurement (%s)",
  (name) => {
    expect(isSecretValue(name, "4111000000007919")).toBe(true);
  },
);

test.each([
  ..."X-Authentication X-Authkey X-Appkey X-Userpwd X-Passcode X-Ticket X-Remember-Me".split(" "),
  "Cf-Access-Client-Id",
])("the header %s contains credentials", (name) => {
  expect(isSecretValue(name, "abc-def", true)).toBe(true);
});

test.each([
  ["ts_first_token_ms", "1893.25"],
  ["tokens_per_second", "41.538461538461540"],
  ["prompt_tokens", "1234"],
  ["firstTokenMs", "188"],
  ["session_rate", "-0.25"],
  ["cookieBytes", "4096.0"],
  ["passwords_per_user", "12.5"],
])("%s=%s is a measurement, not a secret", (name, value) => {
  expect(isSecretValue(name, value)).toBe(false);
});

test.each([
  ["token_ms", "9f-blue-Horse"],
  ["tokens", "kq8Jd72hLpQ0zXv5Tn3M"],
  ["token", "1234567.25"],
  ["pin", "1893.25"],
])("%s=%s is a secret, not a measurement", (name, value) => {
  expect(isSecretValue(name, value)).toBe(true);
});

test.each([
  ["state", "in_progress"],
  ["order_state", "awaiting-payment"],
  ["state", "District of Columbia"],
  ["state", "North Rhine-Westphalia"],
  ["state", "東京"],
  ["key", "add-to-cart"],
  ["session", "2024-fall"],
  ["sessionTitle", "Opening Keynote"],
  ["session_date", "2026-05-01"],
  ["session_duration", "00:12:33"],
  ["auth", "oauth2"],
  ["challenge", "30-day-fitness"],
  ["signature", "Best regards, Anna"],
  ["credentials", "include"],
  ["cookieConsent", "accepted"],
  ["csrfProtection", "enabled"],
  ["passwordPolicy", "strong-12"],
  ["jwtIssuer", "https://id.shop.test"],
  ["card", "summary-1"],
  ["i18nKey", "home.title"],
  ["key1", "value1"],
  ["pin", "top"],
  ["pass", "12"],
  ["code", "404"],
  ["code", "E_1001"],
  ["secret.ts", "12:345:"],
  ["password-reset.mts", "2:117"],
  ["PASSWORD", "…"],
])("%s=%s is not a secret, because it is not a random value", (name, value) => {
  expect(isSecretValue(name, value)).toBe(false);
});

test.each([
  ["state", "9f-blue-Horse"],
  ["state", "xyz-17"],
  ["state", "qwkzjxvbplmtrh"],
  ["state", "QwErTyAb"],
  ["code", "123456"],
  ["session", "kq8Jd72h"],
  ["token_type", "Zq1037w!x"],
  ["pass", "checkout"],
  ["pin", "4829"],
  ["token", "in_progress"],
])("%s=%s is a secret", (name, value) => {
  expect(isSecretValue(name, value)).toBe(true);
});

test.each([
  ..."secretary tokenizer passwordless nextPageToken pageToken next_token courseCode hsCode promoCode".split(
    " ",
  ),
  ..."sourceCode zipcode zip_code countryCode currencyCode cacheKey groupKey primaryKey foreignKey".split(
    " ",
  ),
  ..."sort_key publicKey colorCode errorCode accountNotes".split(" "),
])("%s is not the name of a secret", (name) => {
  expect(isSecretName(name)).toBe(false);
});

test("names and values of hundreds of thousands of letters are judged in less than a second", () => {
  const usage = process.cpuUsage();
  for (const name of ["passw", "Aa", "card ", "secretary"])
    expect(isSecretValue(name.repeat(50_000), "a_".repeat(100_000))).toBe(/pass|card/.test(name));
  expect(process.cpuUsage(usage).user).toBeLessThan(1_000_000);
});

const abroad =
  "Kennwort neues-kennwort senha novaSenha contraseña CONTRASEÑA contrase%C3%B1a mot_de_passe motDePasse mdp wachtwoord hasło şifre heslo " +
  "lösenord passord adgangskode salasana jelszó lozinka geslo mat_khau mậtKhẩu kataSandi пароль Пароль 密码 密碼 パスワード 비밀번호 סיסמה รหัสผ่าน slaptažodis";

test.each(abroad.split(" "))("%s is the name of a password in another language", (name) => {
  expect(isPasswordName(name)).toBe(true);
  expect(isSecretValue(name, "honey")).toBe(true);
  expect(isSecretVariable(name)).toBe(true);
});

test.each([
  "clave",
  "parola",
  "parole",
  "mdpa",
  "losenge",
  "geheim",
  "東京",
  "straße",
  "naïve",
  "código_postal",
])("%s is not the name of a password: it also means something else", (name) => {
  expect(isPasswordName(name)).toBe(false);
  expect(isSecretName(name)).toBe(false);
});

test.each(["API_SCHLÜSSEL", "トークン", "токен", "令牌", "segredo", "token", "MY_KEYS", "SHOP_PWD", "PIN"])(
  "a variable called %s is secret",
  (name) => {
    expect(isSecretVariable(name)).toBe(true);
  },
);

test.each([
  ['{"contraseña":"honey","nombre":"ann"}', "honey"],
  ["nombre=ann&contrase%C3%B1a=honey&q=x", "honey"],
  ["<пароль>honey</пароль>", "honey"],
  ['密码: "honey"', "honey"],
  ['form-data; name="mot_de_passe"\r\n\r\nhoney\r\n--', "honey"],
])("the value of a secret is found in %s", (text, value) => {
  expect(findNamedSecrets(text).map(({ start, end }) => text.slice(start, end))).toEqual([value]);
});

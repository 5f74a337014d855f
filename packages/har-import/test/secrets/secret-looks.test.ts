import { hasUnusualLetters } from "@bearhug/text/secrets/plain-words";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findCardNumbers, findSecretLooks, looksSecret } from "../../src/secrets/secret-looks.ts";

test.each([
  ..."sk-proj-abc123def456 sk-ant-abc123 SG.abc123DEF456.ghi789JKL npm_abc123DEF456ghi hf_abcDEFghiJKLmno".split(
    " ",
  ),
  ..."dop_v1_abc123def456 ya29.a0AfH6SMBx GOCSPX-abc123DEF4 whsec_abc123DEF456 glpat-abc12 shpat_abc12".split(
    " ",
  ),
  ..."AIzaSyD4abc pat-na1-abc123de".split(" "),
  // Too short to look random: they are recognized only by their form.
  ..."eyJhbGciO.abc sk_live_abc rk_live_abc ghp_abc github_pat_abc xoxb-abc xapp-1-abc".split(" "),
  ..."AKIAABCDEFGHIJKL 1//0abcdef SG.abcdef.gh dapi01234567 sq0idp-abc".split(" "),
])("%s is recognized as a key of a known service", (key) => {
  const text = `the key is ${key}, so`;
  expect(findSecretLooks(text).map(({ start, end }) => text.slice(start, end))).toEqual([key]);
});

test.each(["qwkzjxvbplmtrhsngdfycqazwsxedcrf", "QWKZJXVBPLMTRHSNGDFYCQAZ", "lbdkqmxzrtwvhgpnsyfcjuqk"])(
  "%s looks like a secret: it is long and random, though without digits",
  (text) => {
    expect(looksSecret(text)).toBe(true);
  },
);

test.each([
  "onboardingchecklistitems",
  "internationalizationsettings",
  "SUBSCRIPTIONMANAGEMENTOVERVIEW",
  "Rechtsschutzversicherungsgesellschaften",
  "electroencephalographically",
  "anticonstitutionnellement",
  "pat-on-the-back",
  "npm_config",
  "https://cdn.shop.test/products/9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c.jpg",
  // As a whole it is random, but its segments are too short for base64.
  "/f3/9K/a7/Qz/4d/Z8/1b/Xc/6e/Yh/2m",
])("%s does not look like a secret", (text) => {
  expect(looksSecret(text)).toBe(false);
});

test("more than 95 % of random letter sequences are recognized as such", () => {
  const letters = fc.stringMatching(/^[a-z]{40,80}$/);
  const picked = fc.sample(letters, { numRuns: 200, seed: 1 });
  expect(picked.filter((text) => hasUnusualLetters(text)).length).toBeGreaterThan(190);
});

test.each([
  "4111111111111111",
  "4111 1111 1111 1111",
  "5500-0055-5555-5559",
  "340000000000009",
  "6011000000000004",
  "3714 496353 98431",
])("%s is a card number", (number) => {
  const text = `paid with ${number}.`;
  expect(findCardNumbers(text)).toEqual([{ start: 10, end: 10 + number.length }]);
  expect(looksSecret(number)).toBe(true);
});

test("a card number is found before its security code", () => {
  expect(findCardNumbers("4111 1111 1111 1111 123")).toEqual([{ start: 0, end: 19 }]);
});

test.each([
  "4111111111111112",
  "41-11-11-11-11-11-11-11",
  "1763745168000123",
  "4006381333931",
  "99999999999999999999",
  "item-4111111111111111-x",
  "/4111111111111111.png",
])("%s is not a card number", (text) => {
  expect(findCardNumbers(text)).toEqual([]);
});

test("long runs of digits are searched in less than 1 s of CPU time", () => {
  const usage = process.cpuUsage();
  for (const digits of ["4", "41 ", "4111-", "411111 "])
    expect(findCardNumbers(digits.repeat(60_000))).toBeDefined();
  expect(process.cpuUsage(usage).user).toBeLessThan(1_000_000);
});

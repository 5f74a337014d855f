import { expect, test } from "vitest";
import { findTokens, findTokensInEncodings } from "../../src/secrets/token-shapes.ts";

/** Long enough for every kind of token. Assembled here, so that secret scanners do not report them. */
const mixed = "Ab3Cd5Ef7".repeat(8);
const hex = "0a1b2c3d4e5f6789".repeat(4);
const upper = "AB3CD5EF7GH2".repeat(6);
const jwt = `eyJ${mixed.slice(0, 30)}.eyJ${mixed.slice(0, 40)}.${mixed.slice(0, 43)}`;

const tokens = [
  jwt,
  `eyJ${mixed.slice(0, 30)}..${mixed.slice(0, 16)}.${mixed}.${mixed.slice(0, 22)}`,
  "sk_live_",
  "rk_test_",
  "whsec_",
  "sk-proj-",
  "sk-ant-api03-",
  "sk-",
  "gsk_",
  "pplx-",
  "xai-",
  "r8_",
  "hf_",
  "ghp_",
  "gho_",
  "ghs_",
  "github_pat_",
  "glpat-",
  "gldt-",
  "ATATT3",
  "npm_",
  "pypi-AgEIcHlwaS5vcmc",
  "dckr_pat_",
  "xoxb-123-",
  "xoxp-",
  "xoxa-",
  "xapp-1-",
  "AIzaSy",
  "ya29.a0",
  "GOCSPX-",
  "1//0",
  "HRKU-AA",
  "fo1_",
  "pscale_tkn_",
  "sb_secret_",
  "hvs.",
  "dp.pt.",
  "ntn_",
  "lin_api_",
  "figd_",
  "sntryu_",
  "shpat_",
  "sq0atp-",
  "pat-na1-",
  "NRAK-",
  "glsa_",
  "sha256~",
  "EAAC",
].map((beginning) => (beginning.length > 30 ? beginning : beginning + mixed));
const otherTokens = [
  ...["dop_v1_", "dapi", "SK", "key-", "rubygems_", "pul-", "PMAK-", "xkeysib-", "sbp_"].map(
    (one) => one + hex.slice(0, one === "SK" || one === "key-" ? 32 : 64),
  ),
  ...["AKIA", "ASIA", "ABIA"].map((one) => one + upper.slice(0, 16)),
  `${hex.slice(0, 32)}-us12`,
  `SG.${mixed.slice(0, 22)}.${mixed.slice(0, 43)}`,
  `${mixed.slice(0, 14)}.atlasv1.${mixed}`,
  `123456789:AA${mixed.slice(0, 33)}`,
  `${mixed.slice(0, 3)}8Q~${mixed.slice(0, 34)}`,
];

test.each([...tokens, ...otherTokens])("%s is a token, and the text around it is not", (token) => {
  for (const text of [`it is ${token}, so`, `{"note":"${token}"}`, `/v1/${token}/items`, token])
    expect(findTokens(text).map(({ start, end }) => text.slice(start, end))).toEqual([token]);
});

test("a private key is found whole, even if its end was cut off", () => {
  const key = ["-----BEGIN", "RSA PRIVATE KEY-----\n"].join(" ") + `${mixed}\n`;
  const whole = `${key}-----END RSA PRIVATE KEY-----`;
  expect(findTokens(`a ${whole} b`)).toEqual([{ start: 2, end: 2 + whole.length }]);
  expect(findTokens(`a ${key}`)).toEqual([{ start: 2, end: 2 + key.length }]);
});

test("the secret part of an address that grants access by itself is found", () => {
  const text = `POST https://hooks.slack.com/services/T0/B0/${mixed.slice(0, 24)} failed`;
  expect(findTokens(text).map(({ start, end }) => text.slice(start, end))).toEqual([
    `T0/B0/${mixed.slice(0, 24)}`,
  ]);
});

test.each([
  ["in base64", Buffer.from(`{"sub":"ann","held":"${jwt}"}`).toString("base64")],
  ["in base64 as short as is searched", Buffer.from(`sk-${mixed.slice(0, 21)}`).toString("base64")],
  ["in an address", encodeURIComponent(`1//0${mixed}`)],
  ["in JSON in JSON", JSON.stringify(JSON.stringify({ note: `1//0${mixed}` })).replaceAll("/", "\\/")],
])("a token is found %s", (_how, text) => {
  expect(findTokens(text)).toEqual([]);
  expect(findTokensInEncodings(text)).toHaveLength(1);
});

test.each([
  ..."pat-2024-overview pat-on-the-back npm_install1 npm_config_registry hf_page_1 rk_checkout_page".split(
    " ",
  ),
  ..."sk-learn-tutorial-2024 sk-admin-panel ASIAPACIFICSALES key-value-store glossary-terms shp_orders".split(
    " ",
  ),
  ..."ghost_writer eyJustASentence xoxo dapper SG.overview skip-to-main-content AKIA task-list-2024-11-05".split(
    " ",
  ),
  ..."data.atlas.v1 usability-us1 0123456789abcdef0123456789abcdef d41d8cd9-8f00-4204-a980-0998ecf8427e".split(
    " ",
  ),
  "GET /orders/:id",
  "the private key block -----BEGIN- is missing",
  `data:image/png;base64,${Buffer.from("a picture of nothing in particular").toString("base64")}`,
])("%s is not a token", (text) => {
  expect(findTokensInEncodings(text)).toEqual([]);
});

test("a megabyte of beginnings of tokens is searched quickly", () => {
  const usage = process.cpuUsage();
  for (const piece of ["eyJ", "sk-", "eyJabcde.", "npm_", "SG.abcdef", "ghp_", "-----BEGIN A-----"])
    findTokens(piece.repeat(2 ** 20 / piece.length));
  expect(process.cpuUsage(usage).user).toBeLessThan(10_000_000);
});

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import type { ValidatedEnv } from "../../src/definition/declared-env.ts";
import {
  type GivenVariables,
  parseEnvFile,
  readEnv,
  secretsByName,
  type TestEnv,
} from "../../src/test-file/read-env.ts";

test.each([
  "API_TOKEN",
  "token",
  "CLIENT_SECRET",
  "DB_PASSWORD",
  "SSH_PASSPHRASE",
  "AWS_SECRET_ACCESS_KEY",
  "apikey",
])("the value of a variable called %s is a secret", (name) => {
  expect(secretsByName({ PATH: "/usr/bin:/bin", [name]: "12345678" })).toEqual(["12345678"]);
});

test("values of other names, short values and missing ones are not secrets", () => {
  expect(
    secretsByName({
      PATH: "/usr/bin:/bin",
      KEYBOARD: "us-international",
      TOKEN: "1234567",
      SECRET: undefined,
    }),
  ).toEqual([]);
  expect(secretsByName({})).toEqual([]);
});

test("every secret is returned", () => {
  expect(secretsByName({ A_KEY: "first-value", HOME: "/home/somebody", B_TOKEN: "second-value" })).toEqual([
    "first-value",
    "second-value",
  ]);
});

describe("an empty line of a file", () => {
  const declared = {
    type: "string",
    default: null,
    optional: false,
    secret: false,
    description: null,
  } as const;
  const values = (change: Partial<ValidatedEnv>, given: Partial<GivenVariables>): TestEnv["values"] =>
    readEnv(
      { A: { ...declared, ...change } },
      { commandLine: {}, file: { A: "" }, environment: {}, ...given },
    ).values;
  const environment = { A: "12" };

  test.each([{ optional: true }, { secret: true }, { secret: true, optional: true }])(
    "does not hide the environment from a variable with %j, for which empty means not set",
    (change) => {
      expect(values(change, { environment })).toEqual({ A: "12" });
      expect(values(change, { environment, file: { A: "3" } })).toEqual({ A: "3" });
    },
  );

  test("does not hide it from a number either", () => {
    expect(values({ type: "number", default: 5 }, { environment })).toEqual({ A: 12 });
    expect(values({ type: "number", default: 5 }, {})).toEqual({ A: 5 });
  });

  test("is the value of other variables, and an empty one on the command line of all", () => {
    expect(values({}, { environment })).toEqual({ A: "" });
    expect(values({ optional: true }, { environment, commandLine: { A: "" } })).toEqual({ A: "" });
  });
});

describe("a .env file", () => {
  const path = join(mkdtempSync(join(tmpdir(), "bearhug-env-")), ".env");
  const text = 'SHOP_URL=http://shöp.test\r\nPASSWORD="pä€ß"\r\n';
  const utf16 = Buffer.from(text, "utf16le");

  test.each([
    { what: "UTF-8", bytes: Buffer.from(text) },
    { what: "UTF-8 with a mark, as Notepad writes it", bytes: Buffer.from(`\uFEFF${text}`) },
    { what: "UTF-16, as PowerShell writes it", bytes: Buffer.from(`\uFEFF${text}`, "utf16le") },
    { what: "UTF-16 without a mark", bytes: utf16 },
    { what: "big-endian UTF-16", bytes: Buffer.from(`\uFEFF${text}`, "utf16le").swap16() },
  ])("in $what is read", ({ bytes }) => {
    writeFileSync(path, bytes);
    const problems: string[] = [];
    expect(parseEnvFile(path, problems)).toEqual({ SHOP_URL: "http://shöp.test", PASSWORD: "pä€ß" });
    expect(problems).toEqual([]);
  });

  test("in another encoding is refused, because reading it would change a password", () => {
    writeFileSync(path, Buffer.from(text, "latin1"));
    const problems: string[] = [];
    expect(parseEnvFile(path, problems)).toEqual({});
    expect(problems).toEqual([`--env-from ${path}: this is not UTF-8. Save it as UTF-8.`]);
  });
});

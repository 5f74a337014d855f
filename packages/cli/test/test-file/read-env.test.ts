import { expect, test } from "vitest";

import { secretsByName } from "../../src/test-file/read-env.ts";

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

test("values of other names, short ones and missing ones are no secrets", () => {
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

test("every secret is told", () => {
  expect(secretsByName({ A_KEY: "first-value", HOME: "/home/somebody", B_TOKEN: "second-value" })).toEqual([
    "first-value",
    "second-value",
  ]);
});

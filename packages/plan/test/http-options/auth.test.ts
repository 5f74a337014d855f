import type { Auth } from "@bearhug/sdk";
import { expect, test } from "vitest";

import { validateTest } from "../../src/definition/validate-test.ts";
import { authSecrets } from "../../src/http-options/auth.ts";
import { messagesOf } from "../definition/messages-of.ts";

const scenarios = { s: { executor: "shared-iterations", exec: (): void => undefined } };
const aws = { type: "aws-sigv4", region: "r", service: "s", accessKeyId: "a", secretAccessKey: "k" } as const;

test.for<[Auth, string[]]>([
  [{ bearer: "token" }, ["token"]],
  [{ username: "ann", password: "hush" }, ["hush"]],
  [{ type: "digest", username: "a:b", password: "" }, [""]],
  [aws, ["k"]],
  [{ ...aws, sessionToken: "t" }, ["k", "t"]],
])("%j is accepted, and its secrets are known", ([auth, secrets]) => {
  const { test: valid, problems } = validateTest({ http: { auth }, scenarios });
  expect(problems).toEqual([]);
  expect(valid?.http.auth).toMatchObject(auth);
  expect(authSecrets(auth)).toEqual(secrets);
});

const kinds = '{ bearer }, { username, password }, { type: "digest", … } or { type: "aws-sigv4", … }';
test.for<[unknown, string[]]>([
  ["hush", [`http.auth must be ${kinds}.`]],
  [{ type: "ntlm", password: "hush" }, [`http.auth must be ${kinds}.`]],
  [
    { username: "a:b", password: "x" },
    ["http.auth.username must not contain a colon, because the password begins there."],
  ],
  [{ type: "digest", username: "a" }, ["http.auth.password must be a string."]],
  [{ ...aws, region: "" }, ["http.auth.region must not be empty."]],
  [
    { ...aws, regoin: "x", secretAccessKey: 5 },
    [
      "http.auth.secretAccessKey must be a string.",
      'http.auth.regoin is not an option of auth: did you mean "region"?',
    ],
  ],
])("%j is refused without its secrets", ([auth, sentences]) => {
  expect(messagesOf({ http: { auth }, scenarios })).toEqual(sentences);
});

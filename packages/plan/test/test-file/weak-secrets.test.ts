import { expect, test } from "vitest";

import type { ValidatedTest } from "../../src/definition/validated-test.ts";
import { builtInClients } from "../../../engine/src/built-in-clients.ts";
import { makePlan } from "../../src/test-file/make-plan.ts";
import { constantVus, optionsOf, testOf } from "./tests-for-plans.ts";

const variable = { type: "string", default: null, optional: false, secret: true, description: null } as const;

function notesOf(
  env: ValidatedTest["env"],
  environment: Readonly<Record<string, string>>,
): readonly string[] {
  const surroundings = { environment, cores: 4, clients: builtInClients, fallbackName: "a file" };
  return makePlan(testOf([constantVus("r")], { env }), optionsOf({}), surroundings).notes;
}

test("a secret that is a common word or short is named in one note, which says where it is masked", () => {
  const env = { PASSWORD: variable, PIN: variable, TOKEN: variable, REGION: { ...variable, secret: false } };
  expect(notesOf(env, { PASSWORD: "honey", PIN: "4711", TOKEN: "t-Zq7w9x4K", REGION: "eu" })).toEqual([
    "PASSWORD, PIN: their values are common words or short, so they are masked only in fields for secrets (headers, cookies, passwords in bodies and addresses), not in other text.",
  ]);
  expect(notesOf({ PASSWORD: variable }, { PASSWORD: "honey" })).toEqual([
    "PASSWORD: its value is a common word or short, so it is masked only in fields for secrets (headers, cookies, passwords in bodies and addresses), not in other text.",
  ]);
});

test("numbers, durations and other values that are no secrets make no note", () => {
  const env = {
    TOKEN_TTL: { ...variable, type: "duration" },
    KEY_COUNT: { ...variable, type: "number" },
  } as const;
  expect(notesOf(env, { TOKEN_TTL: "30s", KEY_COUNT: "12" })).toEqual([]);
});

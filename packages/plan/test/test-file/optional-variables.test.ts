import { expect, test } from "vitest";

import type { ValidatedTest } from "../../src/definition/validated-test.ts";
import { builtInClients } from "../../../engine/src/built-in-clients.ts";
import { makePlan, type PlannedRun } from "../../src/test-file/make-plan.ts";
import { constantVus, optionsOf, testOf } from "./tests-for-plans.ts";

const needed = { type: "string", default: null, optional: false, secret: false, description: null } as const;
const optional = { ...needed, optional: true };

function plan(
  env: ValidatedTest["env"],
  given: readonly string[],
  environment: Readonly<Record<string, string>>,
): PlannedRun {
  const surroundings = { environment, cores: 4, clients: builtInClients, fallbackName: "a file" };
  return makePlan(testOf([constantVus("r")], { env }), optionsOf({ env: given }), surroundings);
}

test("a run starts without its optional variables, which are then empty, and names them in one note", () => {
  const env = { A: optional, B: { ...optional, secret: true }, C: optional, D: needed };
  const { plan: decided, notes } = plan(env, [], { A: "", C: "set", D: "set" });
  expect(decided.env).toEqual({ A: "", B: "", C: "set", D: "set" });
  expect(notes).toEqual(["optional variables that are not set: A, B. The test runs without them."]);
  expect(plan(env, ["A=1", "B=b-Zq7w9x4K"], { C: "set", D: "set" }).notes).toEqual([]);
});

test("a note names no more than five optional variables, and counts the others", () => {
  const names = ["A", "B", "C", "D", "E", "F", "G"];
  const env = Object.fromEntries(names.map((name) => [name, optional]));
  expect(plan(env, [], {}).notes).toEqual([
    "optional variables that are not set: A, B, C, D, E and 2 more. The test runs without them.",
  ]);
});

test("a secret that is empty is missing, and any other text may be empty", () => {
  const env = { TOKEN: { ...needed, secret: true }, REGION: needed };
  expect(() => plan(env, [], { TOKEN: "", REGION: "" })).toThrow(
    "TOKEN is empty: the test needs it. Set it in the environment, or with --env-from FILE",
  );
  expect(() => plan(env, ["TOKEN="], { REGION: "" })).toThrow("TOKEN is empty");
  expect(plan(env, [], { TOKEN: "t-Zq7w9x4K", REGION: "" }).plan.env).toEqual({
    TOKEN: "t-Zq7w9x4K",
    REGION: "",
  });
});

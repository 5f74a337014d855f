import { describe, expect, test } from "vitest";
import { defineTest } from "../../src/index.ts";
import { definitionOf, isTest } from "../../src/definition/define-test.ts";
import { validateTest } from "../../src/definition/validate-test.ts";

const exec = (): void => undefined;
const scenarios = { once: { executor: "shared-iterations", exec } } as const;

describe("defineTest", () => {
  test("returns the definition, frozen, without changing its argument", () => {
    const definition = { name: "front page", scenarios };
    const defined = defineTest(definition);
    expect(definitionOf(defined)).toMatchObject(definition);
    expect(definitionOf(defined).scenarios["once"]?.exec).toBe(exec);
    expect(Object.isFrozen(defined)).toBe(true);
    expect(Object.isFrozen(definition)).toBe(false);
    expect(isTest(definition)).toBe(false);
  });

  test("marks its result, so that another copy of the SDK recognizes it", () => {
    const defined = defineTest({ scenarios });
    expect(isTest(defined)).toBe(true);
    expect(Symbol.for("bearhug.test") in defined).toBe(true);
    expect(Object.keys(defined)).toEqual(["scenarios"]);
  });

  test.for([undefined, null, 1, "test", {}, [], exec])("%j is not a test", (value) => {
    expect(isTest(value)).toBe(false);
  });

  test("returns a test that the run-time check accepts", () => {
    expect(validateTest(defineTest({ scenarios })).problems).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import { defineTest } from "../../src/index.ts";
import { isTest } from "../../src/definition/define-test.ts";

const exec = (): void => undefined;
const scenarios = { once: { executor: "shared-iterations", exec } } as const;

describe("defineTest", () => {
  test("returns the definition, frozen, without changing its argument", () => {
    const definition = { name: "front page", scenarios };
    const defined = defineTest(definition);
    expect(defined).toMatchObject(definition);
    expect(defined.scenarios["once"]?.exec).toBe(exec);
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
});

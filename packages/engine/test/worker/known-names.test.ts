import { inspect, isDeepStrictEqual } from "node:util";
import { serialize } from "node:v8";

import { describe, expect, test } from "vitest";

import { declaredEnv } from "../../src/worker/known-names.ts";
import { runScenario } from "./run-scenario.ts";

describe("the variables of a test", () => {
  const plain = { API_TOKEN: "t", REGION: "eu" };
  const env: Record<string, unknown> = declaredEnv({ ...plain });

  test("are read as declared, and any other name throws with the nearest one", () => {
    expect(env["REGION"]).toBe("eu");
    expect(() => env["API_TOKE"]).toThrow(
      "env.API_TOKE: the test declares no such variable. Did you mean API_TOKEN?",
    );
    expect(() => env["SHOP"]).toThrow(
      "env.SHOP: the test declares no such variable. There are: API_TOKEN, REGION.",
    );
    expect(() => declaredEnv({} as typeof plain).REGION).toThrow("no such variable. There are none.");
    expect(() => `/${String(env["region_"])}`).toThrow("Did you mean REGION?");
  });

  test("behave like a plain object in all other uses", async () => {
    expect(JSON.stringify(env)).toBe(JSON.stringify(plain));
    expect({ ...env }).toEqual(plain);
    expect(Object.entries(env)).toEqual(Object.entries(plain));
    expect(structuredClone(env)).toEqual(plain);
    expect(serialize(env)).toEqual(serialize(plain));
    expect(inspect({ env })).toBe(inspect({ env: plain }));
    expect(Object.prototype.toString.call(env)).toBe("[object Object]");
    expect("SHOP" in env).toBe(false);
    expect("REGION" in env).toBe(true);
    expect(Object.hasOwn(env, "SHOP")).toBe(false);
    expect(Reflect.get(env, Symbol.iterator)).toBeUndefined();
    expect(await Promise.resolve(env)).toBe(env);
    expect(Object.getPrototypeOf(Object.getPrototypeOf(env))).toBeNull();
    expect(isDeepStrictEqual({ ...env }, plain)).toBe(true);
    env["added"] = 1;
    expect(env["added"]).toBe(1);
  });
});

test.each([
  { what: "env", path: ({ env }: Parts) => env["REGOIN"], message: /env\.REGOIN: .* Did you mean REGION\?/ },
  {
    what: "metrics",
    path: ({ metrics }: Parts) => metrics["fund"],
    message: /metrics\.fund: the test declares no such metric\. Did you mean found\?/,
  },
  {
    what: "feeds",
    path: ({ feeds }: Parts) => feeds["users"],
    message: /feeds\.users: the test has no such feed\. There are none\./,
  },
])("an iteration that reads an unknown name of $what fails", async ({ path, message }) => {
  const { errors } = await runScenario((context) => void path(context));
  expect(errors()).toMatchObject([
    { code: "TEST_THREW", count: 1, message: expect.stringMatching(message) as string },
  ]);
});

type Parts = Readonly<Record<"env" | "metrics" | "feeds", Readonly<Record<string, unknown>>>>;

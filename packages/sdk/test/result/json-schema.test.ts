import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { testResultSchema } from "../../src/result/result.ts";
import { sampleResult } from "./sample-result.ts";

const file = join(import.meta.dirname, "../../result.schema.json");

describe("result.schema.json", () => {
  test("matches the zod schema (vitest --update regenerates it)", async () => {
    const schema = z.toJSONSchema(testResultSchema(), { io: "input" });
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(file);
  });

  test("accepts a result, and refuses one that lacks a property", () => {
    const schema = z.fromJSONSchema(z.toJSONSchema(testResultSchema(), { io: "input" }));
    expect(schema.safeParse(sampleResult).error).toBeUndefined();
    expect(schema.safeParse({ ...sampleResult, seed: undefined }).success).toBe(false);
    expect(schema.safeParse({ ...sampleResult, errors: [{ code: "X" }] }).success).toBe(false);
  });
});

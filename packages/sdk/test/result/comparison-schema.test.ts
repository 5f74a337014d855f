import { join } from "node:path";

import { expect, test } from "vitest";
import * as z from "zod";

import { comparisonSchema } from "../../src/result/comparison-result.ts";

test("comparison.schema.json matches the zod schema (vitest --update regenerates it)", async () => {
  const schema = z.toJSONSchema(comparisonSchema(), { io: "input" });
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, "../../comparison.schema.json"),
  );
});

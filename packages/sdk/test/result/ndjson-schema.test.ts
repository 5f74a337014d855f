import { join } from "node:path";

import { expect, test } from "vitest";
import * as z from "zod";

import { ndjsonLineSchema } from "../../src/result/ndjson.ts";

test("ndjson.schema.json matches the zod schema (vitest --update regenerates it)", async () => {
  const schema = z.toJSONSchema(ndjsonLineSchema(), { io: "input" });
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, "../../ndjson.schema.json"),
  );
});

import { join } from "node:path";

import { createGenerator } from "ts-json-schema-generator";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "../../src/documents");
const names = ["Check", "Doctor", "Import", "List", "Problems", "Try"];

const generator = createGenerator({
  path: join(folder, "documents.ts"),
  tsconfig: join(import.meta.dirname, "../../tsconfig.json"),
  // Objects may gain members within a version.
  additionalProperties: true,
  topRef: false,
  skipTypeCheck: true,
});

test.each(names)(
  "the published schema of %sDocument matches its type (vitest --update writes it)",
  async (name) => {
    const schema = generator.createSchema(`${name}Document`);
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
      join(import.meta.dirname, `../../schemas/${name.toLowerCase()}.schema.json`),
    );
  },
);

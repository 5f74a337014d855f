import { readFileSync } from "node:fs";

import { expect, test } from "vitest";
import * as z from "zod";

const page = readFileSync(new URL("../../../../docs/reports.md", import.meta.url), "utf8");

const schema = z
  .object({ properties: z.record(z.string(), z.unknown()) })
  .parse(
    JSON.parse(readFileSync(new URL("../../../sdk/result.schema.json", import.meta.url), "utf8")) as unknown,
  );

test("docs/reports.md lists every field of the result, and no other", () => {
  const [, after = ""] = page.split("\n## JSON\n");
  const [section = ""] = after.split("\n## ", 1);
  const documented = [...section.matchAll(/^\| (`\w+`(?:, `\w+`)*) +\|/gm)].flatMap(([, names = ""]) =>
    names.replaceAll("`", "").split(", "),
  );
  expect(documented.toSorted()).toEqual(Object.keys(schema.properties).toSorted());
});

import { expect, test } from "vitest";

import { writeTest } from "../../src/index.ts";
import type { CapturedRequest } from "../../src/capture-model.ts";
import { modelOf, requestOf, stepOf } from "./model-of.ts";

async function write(request: CapturedRequest): Promise<string> {
  const model = modelOf([stepOf([[request]])]);
  return (await writeTest({ model, redacted: [] }, { formatted: false })).source;
}

test("where redirects led is checked: who has to log in again gets a 200 as well", async () => {
  const source = await write(requestOf("/login", { method: "POST", redirectedTo: [1], landsOn: "/account" }));
  expect(source).toContain('check(await http.post("/login"), { ...statusIs(200), ...endsAt("/account") });');
  expect(source).toContain("const endsAt = (path: string)");
  expect(await write(requestOf("/a"))).not.toContain("endsAt");
});

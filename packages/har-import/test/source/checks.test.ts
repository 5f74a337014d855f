import { expect, test } from "vitest";
import type { CapturedRequest } from "../../src/capture-model.ts";
import { writeTest } from "../../src/index.ts";
import { endsAt } from "../../src/source/check-answer.ts";
import { modelOf, requestOf, stepOf } from "./model-of.ts";
import { runExpression } from "./run-source.ts";
import { strangeSyntax } from "./syntax-shape.ts";

async function write(request: CapturedRequest, formatted = false): Promise<string> {
  const model = modelOf([stepOf([[request]])]);
  return (await writeTest({ model, redacted: [] }, { formatted })).source;
}

const login = requestOf("/login", { method: "POST", redirectedTo: [1], landsOn: "/account" });

test("where redirects led is checked: who has to log in again gets a 200 as well", async () => {
  const source = await write(login);
  expect(source).toContain('check(await http.post("/login"), { ...statusIs(200), ...endsAt("/account") });');
  expect(source).toContain("const endsAt = (path: string)");
  expect(await write(requestOf("/a"))).not.toContain("endsAt");
});

test("the check of where redirects led is of known syntax", async () => {
  expect(strangeSyntax(await write(login))).toEqual([]);
  expect(strangeSyntax(await write(login, true))).toEqual([]);
});

test.each([
  ["/", "https://shop.test/", true],
  ["/", "https://shop.test/?a=b/", true],
  ["/", "https://shop.test/login/", false],
  ["/account", "https://shop.test:8443/account", true],
  ["/account", "https://shop.test/account?from=/login#top", true],
  ["/account", "https://shop.test/account#a?b", true],
  ["/account", "https://shop.test/my/account", false],
  ["/account", "https://shop.test/login?next=/account", false],
  ["/account", "https://shop.test/login#/account", false],
  ["/account", "http://[::1]:80/account", true],
])("that redirects led to %s is, with the address %s, %s", (path, url, holds) => {
  const ends = runExpression(
    `${endsAt}\nendsAt(${JSON.stringify(path)})[${JSON.stringify(`ends at ${path}`)}]({ url: ${JSON.stringify(url)} })`,
  );
  expect(ends).toBe(holds);
});

test("a visit that ends early because an answer lacks what was to be taken from it fails the test", async () => {
  expect(await write(requestOf("/"))).toContain('iteration_failed: ["rate<1%"]');
});

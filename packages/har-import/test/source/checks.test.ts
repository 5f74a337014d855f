import { expect, test } from "vitest";
import type { CapturedRequest } from "../../src/capture-model.ts";
import { writeTest } from "../../src/index.ts";
import { modelOf, requestOf, stepOf } from "./model-of.ts";
import { strangeSyntax } from "./syntax-shape.ts";

async function write(request: CapturedRequest, formatted = false): Promise<string> {
  const model = modelOf([stepOf([[request]])]);
  return (await writeTest({ model, redacted: [] }, { formatted })).source;
}

const home = requestOf("/", { redirectedTo: [1], landsOn: "/account" });
const login = requestOf("/login", { method: "POST", redirectedTo: [1], landsOn: "/account" });

test("where redirects led is checked: who has to log in again gets a 200 as well", async () => {
  const source = await write(home);
  expect(source).toContain('check(await http.get("/"), { ...statusIs(200), ...endsAt("/account") });');
  expect(source).toContain('import { defineTest, endsAt, statusIs } from "@bearhug/sdk";');
  expect(await write(requestOf("/a"))).not.toContain("endsAt");
});

test("a request that changes something redirects again: a form that is rejected is shown again with a 200", async () => {
  const source = await write(login);
  expect(source).toContain(
    'check(await http.post("/login"), { ...statusIs(200), ...redirectsTo("/account") });',
  );
  expect(source).not.toContain("endsAt");
  const note = requestOf("/notes/new/", { method: "POST", redirectedTo: [1], landsOn: "/notes/:id/" });
  expect(await write(note)).toContain('...redirectsTo("/notes/:id/", "/notes/new/")');
  const german = requestOf("/de/notes/new/", { method: "POST", redirectedTo: [1], landsOn: "/notes/:id/" });
  expect(await write(german)).toContain('...redirectsTo("/notes/:id/", "/de/notes/new/")');
});

test.each([home, login])("the check of where redirects led is of known syntax", async (request) => {
  expect(strangeSyntax(await write(request))).toEqual([]);
  expect(strangeSyntax(await write(request, true))).toEqual([]);
});

test("a visit that ends early because an answer lacks what was to be taken from it fails the test", async () => {
  expect(await write(requestOf("/"))).toContain('iteration_failed: ["rate<1%"]');
});

import { expect, test } from "vitest";
import type { CapturedRequest } from "../../src/capture-model.ts";
import { writeTest } from "../../src/index.ts";
import { endsAt, redirectsTo } from "../../src/source/check-answer.ts";
import { modelOf, requestOf, stepOf } from "./model-of.ts";
import { runExpression } from "./run-source.ts";
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
  expect(source).toContain("const endsAt = (path: string)");
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
});

test.each([home, login])("the check of where redirects led is of known syntax", async (request) => {
  expect(strangeSyntax(await write(request))).toEqual([]);
  expect(strangeSyntax(await write(request, true))).toEqual([]);
});

test.each([
  ["/notes/:id/", "https://shop.test/notes/12/?saved=1#top", true],
  ["/notes/:id/", "http://shop.test:81/de/notes/hello-world/", true],
  ["/notes/:id/", "https://shop.test/pt-BR/notes/12/", true],
  ["/notes/:id/", "https://shop.test/notes/new/", false],
  ["/notes/:id/", "https://shop.test/notes/12/13/", false],
  ["/notes/:id/", "https://shop.test/login/?next=/notes/12/", false],
  ["/", "https://shop.test/", true],
  ["/", "https://shop.test", false],
  ["/me", "https://shop.test/", false],
  ["/owners/:id", "https://shop.test/owners/11;jsessionid=A0?a;b", true],
  ["/home", "/home;jsessionid=A0", true],
])("a request that led to %s is, with the address %s, %s", (path, url, holds) => {
  const says = (response: string): unknown =>
    runExpression(
      `${redirectsTo}\nredirectsTo(${JSON.stringify(path)}, "/notes/new/")[${JSON.stringify(`redirects to ${path}`)}](${response})`,
    );
  const address = JSON.stringify(url);
  expect(says(`{ url: ${address}, redirected: true, headers: { get: () => null } }`)).toBe(holds);
  expect(says(`{ url: "/", redirected: false, headers: { get: () => ${address} } }`)).toBe(holds);
  expect(says(`{ url: ${address}, redirected: false, headers: { get: () => null } }`)).toBe(false);
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

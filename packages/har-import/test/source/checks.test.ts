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

test("the target of redirects is checked, because a login form would have status 200, too", async () => {
  const source = await write(home);
  expect(source).toContain('check(await http.get("/"), { ...statusIs(200), ...endsAt("/account") });');
  expect(source).toContain('import { defineTest, endsAt, statusIs } from "@bearhug/sdk";');
  expect(await write(requestOf("/a"))).not.toContain("endsAt");
});

test("a POST must redirect as recorded, because a rejected form is displayed again with status 200", async () => {
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

test.each([home, login])("the check of redirects has only known syntax", async (request) => {
  expect(strangeSyntax(await write(request))).toEqual([]);
  expect(strangeSyntax(await write(request, true))).toEqual([]);
});

test.each([
  [1, '["rate>99%"]', '["rate<1%"]'],
  [5, '["rate>99%"]', '["rate<1%"]'],
  [6, '["rate>99.2%"]', '["rate<0.8%"]'],
  [30, '["rate>99.9%"]', '["rate<0.1%"]'],
  [100, '["rate>99.95%"]', '["rate<0.05%"]'],
  [700, '["rate>99.993%"]', '["rate<0.007%"]'],
])(
  "in visits of %i requests, one that fails in 5 %% of them is more than the thresholds tolerate",
  async (count, checks, failed) => {
    const requests = Array.from({ length: count }, (_, index) => requestOf(`/${index}`));
    const { source } = await writeTest(
      { model: modelOf([stepOf([requests])]), redacted: [] },
      { formatted: false },
    );
    expect(source).toContain(`checks: ${checks}`);
    expect(source).toContain(`http_req_failed: ${failed}`);
  },
);

test("redirects are requests, and each sign of success is a check, which the thresholds count", async () => {
  const proofs = [{ kind: "no errors" }, { kind: "field", name: "ok", value: true }] as const;
  const requests = Array.from({ length: 90 }, (_, index) =>
    requestOf(`/${index}`, { method: "POST", redirectedTo: [1], landsOn: "/account", proofs }),
  );
  const { source } = await writeTest(
    { model: modelOf([stepOf([requests])]), redacted: [] },
    { formatted: false },
  );
  expect(source).toContain('checks: ["rate>99.99%"]');
  expect(source).toContain('http_req_failed: ["rate<0.02%"]');
});

test("a test fails if iterations do, such as when a value to extract is missing from a response", async () => {
  expect(await write(requestOf("/"))).toContain('iteration_failed: ["rate<1%"]');
});

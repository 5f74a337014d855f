import type { RequestOptions } from "@bearhug/sdk";
import type { AnyContext } from "@bearhug/sdk/internal";
import { expect, test } from "vitest";

import { startServer } from "../../../http/test/servers.ts";
import { runScenario } from "./run-scenario.ts";

const loginPage = `<form method=post action=/login><input name=email><input TYPE='password' name="pwd"></form>`;

function formDataOf(name: string, value: string): FormData {
  const data = new FormData();
  data.set(name, value);
  return data;
}

/** Starts an application that sends this body to every request, with status 200. */
function startApp(body: string, type: string): ReturnType<typeof startServer> {
  return startServer((_request, response) => {
    response.setHeader("content-type", type);
    response.end(body);
  });
}

async function runAgainst(
  body: string,
  type: string,
  exec: (context: AnyContext) => unknown,
): Promise<{ readonly url: string; readonly found: readonly object[] }> {
  const { url } = await startApp(body, type);
  const { errors } = await runScenario(exec, { baseUrl: url, iterations: 3 });
  return { url, found: errors() };
}

test("a login that shows its form again with status 200 is an oddity", async () => {
  const { url, found } = await runAgainst(loginPage, "text/html; charset=utf-8", async ({ http }) => {
    await http.post("/login", { form: { email: "ann@example.org", pwd: "wrong" } });
  });
  expect(found).toMatchObject([
    {
      code: "FORM_SHOWN_AGAIN",
      origin: url,
      name: "POST /login",
      count: 3,
      message: `the response to POST ${url}/login shows the password field "pwd" again, so the target may have refused the form`,
    },
  ]);
});

test.each<[what: string, options: RequestOptions]>([
  ["URLSearchParams", { form: new URLSearchParams({ pwd: "wrong1" }) }],
  ["pairs", { form: [["pwd", "wrong1"]] }],
  ["multipart", { multipart: { pwd: "wrong1" } }],
  ["a body of URLSearchParams", { body: new URLSearchParams({ pwd: "wrong1" }) }],
  ["a body of FormData", { body: formDataOf("pwd", "wrong1") }],
  ["a text", { body: "email=ann%40example.org&pwd=wrong1" }],
])("a form that is given as %s is found in the page, too", async (_what, options) => {
  const { found } = await runAgainst(loginPage, "text/html", ({ http }) => http.post("/login", options));
  expect(found).toMatchObject([{ code: "FORM_SHOWN_AGAIN", count: 3 }]);
});

test("a password may have a name in another language", async () => {
  const page = "<INPUT NAME=clave TYPE=PASSWORD>";
  const { found } = await runAgainst(page, "TEXT/HTML", ({ http }) =>
    http.post("/login", { form: { usuario: "ana", clave: "wrong1" } }),
  );
  expect(found).toMatchObject([{ code: "FORM_SHOWN_AGAIN", count: 3 }]);
});

test.each<[what: string, exec: (context: AnyContext) => unknown]>([
  ["leaves the password empty", ({ http }) => http.post("/profile", { form: { name: "Ann", pwd: "" } })],
  ["sends a text that is no form", ({ http }) => http.post("/notes", { body: "{pwd=1}" })],
  ["visits the login page", ({ http }) => http.get("/login")],
  ["sends another form", ({ http }) => http.post("/search", { form: { q: "tea", token: "t1" } })],
  ["expects its status", ({ http }) => http.post("/login", { form: { pwd: "no" }, expect: 200 })],
  ["discards bodies", ({ http }) => http.post("/login", { form: { pwd: "no" }, discardBodies: true })],
])("a request that %s is no oddity", async (_what, exec) => {
  const { found } = await runAgainst(loginPage, "text/html", exec);
  expect(found).toEqual([]);
});

test.each<[what: string, body: unknown]>([
  ["GraphQL", { errors: [{ message: "Not logged in" }], data: null }],
  ["an application", { error: "no such user" }],
  ["an application in PHP", { success: false, message: "Wrong password", code: 401 }],
  ["a batch", [{ data: {} }, { errors: [{ message: "no" }] }]],
  ["a batch of JSON-RPC", [{ jsonrpc: "2.0", id: 1, error: { message: "no" } }]],
  ["an application after an empty field", { error: null, errors: [], field_errors: { name: "no" } }],
  ["an application in parts", { error: { code: 0, message: "no" } }],
])("JSON in which %s reports errors with status 200 is an oddity", async (_what, body) => {
  const json = JSON.stringify(body);
  const { url, found } = await runAgainst(
    JSON.stringify(body, null, 2),
    "application/json",
    async ({ http }) => {
      await http.post("/graphql", { json: { query: "{ me { name } }" }, name: "me" });
    },
  );
  const message = `the response to POST ${url}/graphql was ${json}`;
  expect(found).toMatchObject([{ code: "JSON_ERRORS", origin: url, name: "me", count: 3, message }]);
});

test.each<[what: string, body: string, exec: (context: AnyContext) => unknown]>([
  ["no error", `{"errors":[],"error":null}`, ({ http }) => http.post("/", { json: {} })],
  [
    "the state of a job",
    `{"id":7,"success":false,"message":"is running"}`,
    ({ http }) => http.post("/", { json: {} }),
  ],
  ["jobs that failed", `[{"id":7,"error":"out of memory"}]`, ({ http }) => http.post("/", { json: {} })],
  [
    "an error that says that there is none",
    `{"data":{"id":7},"error":{"code":"ok","message":"","log_id":"2024"}}`,
    ({ http }) => http.post("/", { json: {} }),
  ],
  ["fields without errors", `{"errors":{"name":null,"mail":[]}}`, ({ http }) => http.post("/", { json: {} })],
  ["a broken body", `{"error":`, ({ http }) => http.post("/", { json: {} })],
  ["data to read", `{"error":"as asked"}`, ({ http }) => http.get("/", { tags: { a: "b" } })],
  ["an expected error", `{"error":"no"}`, ({ http }) => http.post("/", { json: {}, expect: [200, 400] })],
])("JSON with %s is no oddity", async (_what, body, exec) => {
  const { found } = await runAgainst(body, "application/json", exec);
  expect(found).toEqual([]);
});

test.each<[what: string, path: string, json: unknown, body: unknown]>([
  [
    "the verdict of a validator",
    "/schemas/validate",
    {},
    { errors: [{ path: "/a", message: "is required" }] },
  ],
  ["the verdict of a linter", "/lint?fix=1", {}, { errors: [{ line: 1 }], warnings: [] }],
  ["a verdict", "/coupons/check", {}, { valid: false, errors: ["has expired"] }],
  ["a count of errors", "/stats", {}, { requests: 100, errors: 3 }],
  ["a series of errors", "/stats", {}, { labels: ["a", "b"], errors: [0, 1] }],
  ["counts of errors", "/stats", {}, { errors: { total: 3, perMinute: 0.5 } }],
  ["an estimate's error", "/estimate", {}, { mean: 12, error: 0.25 }],
  ["the error that was sent", "/crashes", { error: "no x" }, { id: 7, error: "no x" }],
  ["the errors that were sent", "/crashes", { errors: ["no x"] }, { id: 7, errors: ["no x"] }],
])("JSON with %s is no oddity", async (_what, path, json, body) => {
  const { found } = await runAgainst(JSON.stringify(body), "application/json", ({ http }) =>
    http.post(path, { json }),
  );
  expect(found).toEqual([]);
});

test.each<[what: string, path: string, json: unknown, body: unknown]>([
  ["a number as its error", "/login", {}, { error: 1, message: "no" }],
  ["the code of an error", "/login", {}, { error: { code: 401 } }],
  ["no errors as sent, but others", "/crashes", { error: "no x" }, { error: "no x", errors: ["no url"] }],
  ["a verdict in other words", "/coupons", {}, { valid: "maybe", error: "no" }],
  ["the way to a validator", "/invalidate", {}, { error: "no" }],
  ["an item of a batch", "/stats", {}, [{ data: null, errors: ["no"] }]],
])("JSON with %s is an oddity", async (_what, path, json, body) => {
  const { found } = await runAgainst(JSON.stringify(body), "application/json", ({ http }) =>
    http.post(path, { json }),
  );
  expect(found).toMatchObject([{ code: "JSON_ERRORS", count: 3 }]);
});

test("a registration is no oddity if its response shows a login form, without the repeated password", async () => {
  const form = { email: "ann@example.org", pwd: "secret1", pwd_confirmation: "secret1" };
  const { found } = await runAgainst(loginPage, "text/html", ({ http }) => http.post("/users", { form }));
  expect(found).toEqual([]);
  const again = `${loginPage}<input name=pwd_confirmation type=password>`;
  const { found: refused } = await runAgainst(again, "text/html", ({ http }) =>
    http.post("/users", { form }),
  );
  expect(refused).toMatchObject([{ code: "FORM_SHOWN_AGAIN", count: 3 }]);
});

test.each([
  [307, ["JSON_ERRORS"]],
  // It becomes a GET, which sends nothing that could be refused.
  [303, []],
])("JSON with errors after a redirect of status %d: %j", async (status, codes) => {
  const { url } = await startServer(({ url: path }, response) => {
    if (path === "/items") response.writeHead(status, { location: "/list" }).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(`{"error":"no"}`);
  });
  const { errors } = await runScenario(({ http }) => http.post("/items", { json: {} }), { baseUrl: url });
  expect(errors().map(({ code, name }) => [code, name])).toEqual(codes.map((code) => [code, "POST /items"]));
});

test("a page that cannot be decoded is no oddity", async () => {
  const { url } = await startServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" }).end(loginPage);
  });
  const { errors } = await runScenario(({ http }) => http.post("/login", { form: { pwd: "no" } }), {
    baseUrl: url,
  });
  expect(errors()).toEqual([]);
});

test("secrets in JSON with errors are masked", async () => {
  const body = `{"error":"token sk-live-51H8xkT2eZvKYlo2CabcdefGHIJ is revoked","password":"hunter22x"}`;
  const { found } = await runAgainst(body, "application/json", ({ http }) => http.post("/", { json: {} }));
  expect(JSON.stringify(found)).not.toMatch(/51H8xkT2eZ|hunter22x/);
  expect(found).toHaveLength(1);
});

test("looking for errors leaves a response as it was: its size is unknown, and its text is that of its bytes", async () => {
  const { url } = await startApp(`{"error":"no"}`, "application/json");
  const seen: unknown[] = [];
  await runScenario(
    async ({ http }) => {
      const response = await http.post("/", { json: {} });
      seen.push(response.size.decoded);
      response.bytes().fill(0x41);
      seen.push(response.text());
    },
    { baseUrl: url },
  );
  expect(seen).toEqual([null, "AAAAAAAAAAAAAA"]);
});

test.each<[what: string, body: string]>([
  ["a form", "user=ann&password=Kx7-hunter-q9"],
  ["JSON", `{"login":{"user":"ann","password":"Kx7-hunter-q9"}}`],
])("a password that was sent in a text of %s is masked in JSON with errors", async (_what, body) => {
  const answer = `{"error":"Kx7-hunter-q9 is wrong"}`;
  const { found } = await runAgainst(answer, "application/json", ({ http }) => http.post("/", { body }));
  expect(found).toMatchObject([{ message: expect.stringContaining('"*** is wrong"') as string }]);
});

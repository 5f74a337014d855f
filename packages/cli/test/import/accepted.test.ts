import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";

import { expect, test } from "vitest";

import { readResult, runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { startServer } from "../end-to-end/test-server.ts";
import { entryOf, writeCapture } from "./shop-capture.ts";

const site = "https://notes.test";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

interface Case {
  /** The recorded exchange, a POST to /do. */
  readonly recorded: Parameters<typeof entryOf>[1] & {
    readonly responseHeaders?: Readonly<Record<string, string>>;
  };
  readonly accepts: Handler;
  readonly refuses: Handler;
  /** The checks that fail when the site refuses the POST. */
  readonly failed: readonly string[];
}

function respondWith(text: string, headers: Readonly<Record<string, string>> = {}): Handler {
  return (_request, response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers }).end(text);
  };
}

const variables = { SITE_USER: "jane", PASSWORD: "x", COOKIE_PHPSESSID: "aaaa1d2e3b5a6978" };
const login = { user: "jane", password: "correct-horse-battery-staple" };

const cases: Readonly<Record<string, Case>> = {
  "success: false": {
    recorded: { type: "fetch", form: { a: "1" }, responseBody: `{"success":true,"made":1}` },
    accepts: respondWith(`{"success":true,"made":2}`),
    refuses: respondWith(`{"success":false}`),
    failed: ["success is true", "no errors"],
  },
  "result: error": {
    recorded: { type: "fetch", form: { a: "1" }, responseBody: `{"result":"success","made":1}` },
    accepts: respondWith(`{"result":"success","made":2}`),
    refuses: respondWith(`{"result":"error","message":"sold out"}`),
    failed: ["result is success"],
  },
  "status: false": {
    recorded: { type: "fetch", form: { a: "1" }, responseBody: `{"status":true,"message":"Saved"}` },
    accepts: respondWith(`{"status":true,"message":"Saved"}`),
    refuses: respondWith(`{"status":false,"message":"sold out"}`),
    failed: ["status is true"],
  },
  "an error of gRPC-Web": {
    recorded: {
      type: "fetch",
      form: { a: "1" },
      mimeType: "application/grpc-web+proto",
      responseHeaders: { "content-type": "application/grpc-web+proto" },
      responseBody: "\0\0\0\0\0\x80\0\0\0\x0fgrpc-status:0\r\n",
    },
    accepts: respondWith("\0\0\0\0\0\x80\0\0\0\x0fgrpc-status:0\r\n", {
      "content-type": "application/grpc-web+proto",
    }),
    refuses: respondWith("", { "content-type": "application/grpc-web+proto", "grpc-status": "16" }),
    failed: ["grpc-status is 0"],
  },
  "GraphQL errors": {
    recorded: { type: "fetch", form: { a: "1" }, responseBody: `{"data":{"note":{"status":"draft"}}}` },
    accepts: respondWith(`{"data":{"note":{"status":"published"}},"errors":[]}`),
    refuses: respondWith(`{"data":null,"errors":[{"message":"too long"}]}`),
    failed: ["no errors"],
  },
  "user errors of a GraphQL mutation": {
    recorded: {
      type: "fetch",
      form: { a: "1" },
      responseBody: `{"data":{"cartLinesAdd":{"cart":{"id":1},"userErrors":[]}}}`,
    },
    accepts: respondWith(`{"data":{"cartLinesAdd":{"cart":{"id":2},"userErrors":[]}}}`),
    refuses: respondWith(`{"data":{"cartLinesAdd":{"cart":null,"userErrors":[{"message":"sold out"}]}}}`),
    failed: ["no errors"],
  },
  "an error in one of several GraphQL responses": {
    recorded: { type: "fetch", form: { a: "1" }, responseBody: `[{"data":1},{"data":2,"error":null}]` },
    accepts: respondWith(`[{"data":1,"error":""},{"data":3,"error":false}]`),
    refuses: respondWith(`[{"data":1},{"error":"no"}]`),
    failed: ["no errors"],
  },
  "a SvelteKit failure": {
    recorded: {
      type: "fetch",
      form: { a: "1" },
      responseBody: `{"type":"redirect","status":303,"location":"/"}`,
    },
    accepts: respondWith(`{"type":"redirect","status":302,"location":"/"}`),
    refuses: respondWith(`{"type":"failure","status":400,"data":"[]"}`),
    failed: ["redirects to /", "type is redirect"],
  },
  "a relative SvelteKit redirect": {
    recorded: {
      type: "fetch",
      form: { a: "1" },
      responseBody: `{"type":"redirect","status":303,"location":"done"}`,
    },
    accepts: respondWith(`{"type":"redirect","status":303,"location":"done"}`),
    refuses: respondWith(`{"type":"failure","status":400,"data":"[]"}`),
    failed: ["type is redirect"],
  },
  "an expired SvelteKit session": {
    recorded: {
      type: "fetch",
      form: { a: "1" },
      mimeType: "application/json",
      responseBody: `{"type":"redirect","status":303,"location":"/carts/5417"}`,
    },
    accepts: respondWith(`{"type":"redirect","status":303,"location":"/carts/5418"}`),
    refuses: respondWith(`{"type":"redirect","status":303,"location":"/login"}`),
    failed: ["redirects to /carts/:id"],
  },
  "a page in place of JSON": {
    recorded: { type: "fetch", form: { a: "1" }, responseBody: `{"status":"ok"}` },
    accepts: respondWith(`{"status":"ok"}`),
    refuses: respondWith("<title>Log in</title>"),
    failed: ["status is ok", "no errors"],
  },
  "a missing Next.js redirect": {
    recorded: {
      type: "fetch",
      form: { a: "1" },
      mimeType: "text/x-component",
      responseHeaders: { "x-action-redirect": "/notes/41;push" },
    },
    accepts: respondWith("1:[]", {
      "x-action-redirect": "/notes/42;push",
      "content-type": "text/x-component",
    }),
    refuses: respondWith("1:[]", { "content-type": "text/x-component" }),
    failed: ["redirects to /notes/:id"],
  },
  "no session after a login": {
    recorded: { form: login, responseHeaders: { "Set-Cookie": "sid=4f0c1d2e3b5a6978; Path=/; HttpOnly" } },
    accepts: respondWith("<title>Hello</title>", { "set-cookie": "sid=00c1d2e3b5a69784f; Path=/" }),
    refuses: respondWith("<title>Wrong password</title>", {
      "set-cookie": "csrftoken=00c1d2e3b5a69784f; Path=/",
    }),
    failed: ["has the cookie sid"],
  },
  "a form again": {
    recorded: {
      headers: { accept: "text/html" },
      form: { message: "Where is it?" },
      responseHeaders: { "content-type": "text/html" },
      responseBody: "<p>Thank you</p>",
    },
    accepts: respondWith("<p>Thank you</p>", { "content-type": "text/html" }),
    refuses: respondWith('<p>Too short</p><textarea name="message">Where is it?</textarea>', {
      "content-type": "text/html",
    }),
    failed: ["has no field message"],
  },
  "the form of a login again": {
    recorded: { form: login, responseBody: "<title>Hello</title>" },
    accepts: respondWith("<title>Hello</title>", { "content-type": "text/html" }),
    refuses: respondWith('<form><input type="password" name="password"></form>', {
      "content-type": "text/html",
    }),
    failed: ["has no field password"],
  },
  "the same session after a login": {
    recorded: {
      form: login,
      headers: { Cookie: "PHPSESSID=aaaa1d2e3b5a6978" },
      responseHeaders: { "Set-Cookie": "PHPSESSID=4f0c1d2e3b5a6978; Path=/" },
    },
    accepts: respondWith("<title>Hello</title>", { "set-cookie": "PHPSESSID=00c1d2e3b5a69784f; Path=/" }),
    refuses: respondWith("<title>Wrong password</title>"),
    failed: ["has a new cookie PHPSESSID"],
  },
};

/** Returns the case's entry of the capture, with its response headers. */
function entryFor({ recorded: { responseHeaders = {}, ...recorded } }: Case, index: number): unknown {
  const entry = entryOf(`${site}/do/${index}`, { method: "POST", atMs: 300 * (index + 1), ...recorded });
  const { response } = entry as { response: { headers: unknown[] } };
  const headers = Object.entries(responseHeaders).map(([name, value]) => ({ name, value }));
  return { ...entry, response: { ...response, headers: [...response.headers, ...headers] } };
}

test("an imported test passes if the site accepts a form and fails if it refuses it", async () => {
  const all = Object.values(cases);
  const folder = temporaryFolder();
  const file = join(folder, "notes.ts");
  const responseBody = '<title>Home</title><textarea name="message"></textarea>';
  const entries = [entryOf(`${site}/`, { responseBody }), ...all.map(entryFor)];
  const imported = await runBearhug(["import", writeCapture(folder, entries), "-o", file]);
  expect(imported.exitCode, imported.stderr).toBe(0);

  const run = async (reaction: "accepts" | "refuses"): Promise<Readonly<Record<string, number>>> => {
    const server = await startServer((request, response) => {
      const one = all[Number(request.url?.split("/").at(-1))];
      if (request.method === "GET" || one === undefined) response.end("<title>Home</title>");
      else one[reaction](request, response);
    });
    const out = join(folder, "result.json");
    const load = ["--workers", "0", "--iterations", "2", "--out", `json=${out}`];
    const given = Object.entries(variables).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
    const ended = await runBearhug(["run", file, "--target", server.url, ...load, ...given]);
    expect(ended.exitCode, ended.stdout).toBe(reaction === "accepts" ? 0 : 99);
    const failed = readResult(out, ended).checks.filter(({ fails }) => fails > 0);
    const byName = Map.groupBy(failed, ({ name }) => name);
    const fails = (checks: typeof failed): number => checks.reduce((sum, check) => sum + check.fails, 0);
    return Object.fromEntries([...byName].map(([name, checks]) => [name, fails(checks)]));
  };
  expect(await run("accepts"), readFileSync(file, "utf8")).toEqual({});
  const expected = Object.groupBy(
    all.flatMap(({ failed }) => failed),
    (name) => name,
  );
  const counts = Object.entries(expected).map(([name, named = []]) => [name, 2 * named.length] as const);
  expect(await run("refuses")).toEqual(Object.fromEntries(counts));
});

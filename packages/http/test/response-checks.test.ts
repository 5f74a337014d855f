import {
  type Checks,
  endsAt,
  extract,
  grpcStatusIs,
  hasNoField,
  isHtml,
  isJson,
  isNotHtml,
  jsonFieldIs,
  noJsonErrors,
  redirectsTo,
  type Response,
  statusIs,
} from "@bearhug/sdk";
import { expect, test } from "vitest";

import { startServer } from "./servers.ts";
import { startClient } from "./start-client.ts";

/** The server's response to the first request; a redirect leads to an empty page. */
interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function answered(
  { status = 200, headers = {}, body = "" }: Answer,
  redirects = 10,
): Promise<Response> {
  const { url } = await startServer((request, response) => {
    const isFirst = request.url === "/first";
    response.writeHead(isFirst ? status : 200, isFirst ? headers : {}).end(isFirst ? body : "");
  });
  return await startClient(url).http.get("/first", { redirects });
}

/** Runs each check; the outcome of one that threw is the name of the error. */
function outcomes(checks: Checks<Response>, response: Response): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(checks).map(([name, check]) => {
      try {
        return [name, typeof check === "function" ? check(response) : check];
      } catch (error) {
        return [name, error instanceof Error ? error.name : error];
      }
    }),
  );
}

test("statusIs passes for each of the given statuses", async () => {
  const response = await answered({ status: 304 });
  expect(outcomes(statusIs(200), response)).toEqual({ "status is 200": false });
  expect(outcomes(statusIs(200, 304), response)).toEqual({ "status is 200 or 304": true });
});

test.each([
  ["text/html; charset=utf-8", true, false, false],
  ["Application/XHTML+XML", true, false, false],
  ["application/json", false, true, true],
  ["application/problem+json;charset=utf-8", false, true, true],
  ["text/plain", false, false, true],
  ["application/x-json-stream", false, false, true],
  ["", false, false, true],
])("a response of type %j is HTML: %s, is JSON: %s, is not HTML: %s", async (type, html, json, notHtml) => {
  const response = await answered({ headers: type === "" ? {} : { "content-type": type }, body: "{}" });
  expect(outcomes({ ...isHtml(), ...isJson(), ...isNotHtml() }, response)).toEqual({
    "is HTML": html,
    "is JSON": json,
    "is not HTML": notHtml,
  });
});

test.each([
  ["GET", {}, false],
  ["GET", { "content-length": "0" }, false],
  ["HEAD", { "content-length": "0" }, false],
  ["HEAD", { "content-length": "12" }, true],
])("an empty response to %s with %j is HTML or JSON: %s", async (method, headers, holds) => {
  const { url } = await startServer(({ url: path }, response) => {
    const type = path === "/page" ? "text/html" : "application/json";
    response.writeHead(200, { ...headers, "content-type": type }).end();
  });
  const { http } = startClient(url);
  expect(outcomes(isHtml(), await http.request(method, "/page"))).toEqual({ "is HTML": holds });
  const data = await http.request(method, "/data");
  expect(outcomes({ ...isJson(), ...isNotHtml() }, data)).toEqual({ "is JSON": holds, "is not HTML": true });
});

test.each([
  ['<form><input type="password" name="password"></form>', false],
  ['<!-- <input name="password"> --><input name="user">', true],
  ["", true],
])("hasNoField passes for the page %j: %s", async (body, holds) => {
  const wanted = { "has no field password": holds };
  expect(outcomes(hasNoField("password"), await answered({ body }))).toEqual(wanted);
});

test("a 304 is of the type that the visitor already has", async () => {
  const passed = { "is HTML": true, "is JSON": true, "is not HTML": true };
  const response = await answered({ status: 304 });
  expect(outcomes({ ...isHtml(), ...isJson(), ...isNotHtml() }, response)).toEqual(passed);
});

/** A message of one byte, and the trailers, as gRPC-Web frames them. */
const framed = (status: string): string => `\0\0\0\0\x01a\x80\0\0\0\x10grpc-status:${status}\r\n`;
const inBase64 = (text: string): string => Buffer.from(text, "latin1").toString("base64");

test.each([
  ["application/grpc-web+proto", {}, framed("0"), true],
  ["application/grpc-web", {}, framed(" 0"), true],
  ["application/grpc-web+proto", {}, framed("16"), false],
  ["application/grpc-web+proto", { "grpc-status": "0" }, "", true],
  ["application/grpc-web+proto", { "grpc-status": "16" }, "", false],
  // The trailers are missing.
  ["application/grpc-web+proto", {}, framed("0").slice(0, 6), false],
  // A message may contain anything.
  ["application/grpc-web+proto", {}, `grpc-status: 0 ${framed("13")}`, false],
  ["application/grpc-web-text", {}, inBase64(framed("0")), true],
  [
    "application/grpc-web-text",
    {},
    inBase64(framed("0").slice(0, 6)) + inBase64(framed("5").slice(6)),
    false,
  ],
  ["text/html", {}, "<p>grpc-status: 0</p>", false],
])(
  "a response of type %s with %j and the body %j has the gRPC status 0: %s",
  async (type, more, body, holds) => {
    const response = await answered({ headers: { "content-type": type, ...more }, body });
    expect(outcomes(grpcStatusIs(0), response)).toEqual({ "grpc-status is 0": holds });
  },
);

const form = "/notes/new/";

test.each([
  ["/notes/:id/", "/notes/12/?saved=1#top", true],
  ["/notes/:id/", "/de/notes/hello-world/", true],
  ["/notes/:id/", "/pt-BR/notes/12/", true],
  ["/notes/:id/", form, false],
  ["/notes/:id/", "/notes/12/13/", false],
  ["/notes/:id/", "/login/?next=/notes/12/", false],
  ["/", "/", true],
  ["/me", "/", false],
  ["/owners/:id", "/owners/11;jsessionid=A0?a;b", true],
  ["/home", "/home;jsessionid=A0", true],
  ["/de/notes/:id/", "/notes/12/", true],
  ["/my/home", "/my/home", true],
  ["/us/en/notes", "/us/en/notes", true],
  ["/index.php?route=account/home", "/index.php?route=account%2Fhome&saved=1", true],
  ["/index.php?route=account/home", "/index.php?route=account/login", false],
  ["/index.php?route=account/home", "/index.php", false],
  ["/index.php?a=1&b=2", "/index.php?b=2&a=1", true],
  ["/en/notes", "/us/de/notes", true],
])("redirectsTo %s passes for a redirect to %s: %s", async (path, location, holds) => {
  const wanted = { [`redirects to ${path}`]: holds };
  const redirect = { status: 302, headers: { location } };
  for (const redirects of [0, 10])
    expect(outcomes(redirectsTo(path, form), await answered(redirect, redirects))).toEqual(wanted);
  for (const name of ["x-action-redirect", "HX-Redirect", "X-Remix-Redirect"]) {
    const response = await answered({ headers: { [name]: location } });
    expect(outcomes(redirectsTo(path, form), response)).toEqual(wanted);
  }
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ type: "redirect", status: 303, location });
  expect(outcomes(redirectsTo(path, form), await answered({ headers, body }))).toEqual(wanted);
});

test.each([
  ["Next.js", { headers: { "x-action-redirect": "/notes/12;push" } }],
  [
    "SvelteKit",
    { headers: { "content-type": "application/json" }, body: `{"type":"redirect","location":"/notes/12?a"}` },
  ],
])("a redirect of %s leads to a path, whose segments can be extracted", async (_name, answer) => {
  const response = await answered(answer);
  expect(outcomes(redirectsTo("/notes/:id"), response)).toEqual({ "redirects to /notes/:id": true });
  expect(extract(response, { segment: -1 })).toBe("12");
});

test("a redirect back to the form is recognized in any language", async () => {
  const response = await answered({ status: 302, headers: { location: "/de/notes/new" } }, 0);
  const wanted = { "redirects to /notes/:id": false };
  expect(outcomes(redirectsTo("/notes/:id", "/en/notes/new"), response)).toEqual(wanted);
});

test("a redirect for the page's script wins over the location of a created resource", async () => {
  const headers = { location: "/api/notes/12", "hx-redirect": "/notes" };
  const wanted = { "redirects to /notes": true };
  expect(outcomes(redirectsTo("/notes"), await answered({ status: 201, headers }))).toEqual(wanted);
});

test("invalid JSON redirects nowhere", async () => {
  const response = await answered({ headers: { "content-type": "application/json" }, body: "{" });
  expect(outcomes(redirectsTo("/notes"), response)).toEqual({ "redirects to /notes": false });
});

test("a response without a redirect redirects nowhere", async () => {
  expect(outcomes(redirectsTo("/first"), await answered({}))).toEqual({ "redirects to /first": false });
});

test.each([
  ["/", "/?a=b/", true],
  ["/", "/login/", false],
  ["/account", "/account?from=/login#top", true],
  ["/account", "/account#a?b", true],
  ["/account", "/my/account", false],
  ["/account", "/login?next=/account", false],
  ["/account", "/login#/account", false],
  ["/index.php?route=account/home", "/index.php?route=account/home&saved=1", true],
  ["/index.php?route=account/home", "/index.php?route=account/login", false],
])("endsAt %s passes for a request that ends at %s: %s", async (path, location, holds) => {
  const response = await answered({ status: 302, headers: { location } });
  expect(outcomes(endsAt(path), response)).toEqual({ [`ends at ${path}`]: holds });
});

test.each([
  [`{"success":true}`, true],
  [`{"success":"true"}`, false],
  [`{"data":{"success":true}}`, false],
  [`[]`, false],
  [`7`, "TypeError"],
  [`<p>Log in</p>`, "SyntaxError"],
])("a field of %s is true: %s", async (body, outcome) => {
  expect(outcomes(jsonFieldIs("success", true), await answered({ body }))).toEqual({
    "success is true": outcome,
  });
});

/** Returns a response of Livewire, with the state of one component. */
function livewire(memo: unknown): string {
  return JSON.stringify({ components: [{ snapshot: JSON.stringify({ data: {}, memo }) }] });
}

test.each([
  [`{"data":{"errors":["x"]}}`, true],
  [`{"error":null,"errors":[]}`, true],
  [`{"error":0,"errors":{}}`, true],
  [`{"error":false,"errors":""}`, true],
  [`[{"data":1},{"data":2}]`, true],
  [`{"error":5}`, false],
  [`{"error":"none","errors":"0"}`, true],
  [`{"error":{"code":"ok","message":"","log_id":"2024"}}`, true],
  [`{"error":{"code":0,"message":"OK"}}`, true],
  [`{"error":{"code":0,"message":"no such user"}}`, false],
  [`{"error":{"code":"not_found","message":""}}`, false],
  [`{"errors":{"name":null,"mail":[]}}`, true],
  [`{"errors":[null]}`, false],
  [`{"success":false,"message":"Wrong password"}`, false],
  [`{"ok":false}`, false],
  [`{"success":false,"message":"is running","id":7}`, true],
  [`{"success":false,"message":"in part","data":{"id":7}}`, true],
  [`{"errors":{"title":["too long"]}}`, false],
  [`[{"data":1},{"errors":[{"message":"no"}]}]`, false],
  [`{"data":{"cartCreate":{"cart":{},"userErrors":[]}},"other":{"userErrors":["a"]}}`, true],
  [`{"data":{"cartCreate":{"cart":null,"userErrors":[{"message":"no"}]}}}`, false],
  [`{"data":{"a":null,"b":{"customerUserErrors":["no"]}}}`, false],
  [`[{"data":{"a":{"userErrors":[]}}},{"data":{"a":{"userErrors":["no"]}}}]`, false],
  [`{"data":{"job":{"errors":["of the job"]}}}`, true],
  [`{"data":{"job":{"errors":[{"message":"of the job","line":7}]}}}`, true],
  [`{"data":{"create":{"errors":[]}}}`, true],
  [`{"data":{"create":{"errors":[{"field":"name","message":"taken","code":"UNIQUE"}]}}}`, false],
  [`{"data":{"create":{"errors":[{"field":"name","messages":["taken"]}]}}}`, false],
  [`{"data":{"create":{"post":null,"errors":[{"path":["title"],"message":"too long"}]}}}`, false],
  [`{"data":{"create":{"__typename":"Post","id":"1"}}}`, true],
  [`{"data":{"create":{"__typename":"ValidationError","message":"too long"}}}`, false],
  [`{"data":{"errors":[{"field":"name","message":"a root field's list"}]}}`, true],
  [`null`, "TypeError"],
  [`{"data":{"checkout":{"success":false,"message":"declined"}}}`, false],
  [`{"data":{"checkout":{"ok":false,"__typename":"Checkout"}}}`, false],
  [`{"data":{"success":false,"message":"declined"}}`, false],
  [`{"data":{"checkout":{"success":true,"message":""}}}`, true],
  [`{"data":{"lastBuild":{"id":7,"success":false}}}`, true],
  [`{"component":"Profile","props":{"errors":{"name":"is taken"}}}`, false],
  [`{"component":"Profile","props":{"errors":{}}}`, true],
  [`{"validationErrors":[{"field":"name"}]}`, false],
  [`{"field_errors":{"name":"is taken"}}`, false],
  [`{"errorMessages":["no"]}`, false],
  [`{"validationErrors":[],"fieldErrors":{},"errorMessages":null,"formErrors":7}`, true],
  [`{"props":{"errors":{"name":"is taken"}}}`, true],
  [livewire({ errors: { name: ["is taken"] } }), false],
  [livewire({ errors: [] }), true],
  [livewire(null), true],
  [`{"components":[{"snapshot":"{"},{"snapshot":7},null]}`, true],
  [`<p>Log in</p>`, "SyntaxError"],
])("%s has no errors: %s", async (body, outcome) => {
  expect(outcomes(noJsonErrors(), await answered({ body }))).toEqual({ "no errors": outcome });
});

import type { AnyContext } from "@bearhug/sdk/internal";
import { expect, test } from "vitest";

import { startServer } from "../../../http/test/servers.ts";
import { runScenario } from "./run-scenario.ts";

/** Starts a server that responds with this status and these headers, except at `/home`. */
async function startSite(
  status: number,
  headers: Readonly<Record<string, string>> = {},
): ReturnType<typeof startServer> {
  return startServer(({ url = "" }, response) => {
    if (!url.startsWith("/home")) response.writeHead(status, headers);
    response.end();
  });
}

type Exec = (context: AnyContext) => unknown;

const visit: Exec = ({ http }) => http.get("/old?id=1");

test.each([301, 302, 303, 307, 308])(
  "a redirect with status %i that leads nowhere is an oddity",
  async (status) => {
    const { url } = await startSite(status);
    const { errors } = await runScenario(visit, { baseUrl: url, iterations: 3 });
    expect(errors()).toMatchObject([
      {
        code: "LOCATION_MISSING",
        cause: null,
        name: "GET /old",
        origin: url,
        count: 3,
        message: `GET ${url}/old responded with status ${status}, but without a location`,
      },
    ]);
  },
);

test.each<{ what: string; headers?: Record<string, string>; exec?: Exec }>([
  { what: "to fetch", exec: ({ http }) => http.fetch("/old") },
  { what: "to a request that follows none", exec: ({ http }) => http.get("/old", { redirects: 0 }) },
  { what: "with an empty location", headers: { location: " " } },
])("a redirect $what is an oddity, too, if it leads nowhere", async ({ headers, exec = visit }) => {
  const { url } = await startSite(302, headers);
  const { errors } = await runScenario(exec, { baseUrl: url });
  expect(errors()).toMatchObject([{ code: "LOCATION_MISSING", name: "GET /old", count: 1 }]);
});

test.each<{ what: string; status?: number; headers?: Record<string, string>; exec?: Exec }>([
  { what: "it leads to a page", headers: { location: "/home" } },
  { what: "it leads to an application", headers: { location: "shop://callback?code=1" } },
  { what: "its page is refreshed", headers: { refresh: "0; url=/home" } },
  {
    what: "it asks for the next part of an upload",
    status: 308,
    exec: ({ http }) => http.put("/old", { body: "a" }),
  },
  { what: "it offers several pages", status: 300 },
  { what: "the test expects it", exec: ({ http }) => http.get("/old", { expect: [200, 302] }) },
])("a redirect is no oddity if $what", async ({ status = 302, headers, exec = visit }) => {
  const { url } = await startSite(status, headers);
  const { errors } = await runScenario(exec, { baseUrl: url });
  expect(errors()).toEqual([]);
});

test("a redirect that leads nowhere and was not expected is a failure", async () => {
  const { url } = await startSite(302);
  const { errors } = await runScenario(({ http }) => http.get("/old", { expect: 200 }), { baseUrl: url });
  expect(errors().map(({ code }) => code)).toEqual(["HTTP_302"]);
});

test.each<{ what: string; exec: Exec }>([
  { what: "GET", exec: ({ http }) => http.get("/page") },
  { what: "HEAD", exec: ({ http }) => http.head("/page", { name: "GET /page" }) },
  { what: "GET of fetch", exec: ({ http }) => http.fetch("/page") },
  { what: "GET of a part", exec: ({ http }) => http.get("/page", { headers: { range: "bytes=0-9" } }) },
])("a 304 to a $what that has no condition is an oddity", async ({ exec }) => {
  const { url } = await startSite(304, { etag: '"1"' });
  const { errors } = await runScenario(exec, { baseUrl: url, iterations: 3, http: { cache: "browser" } });
  expect(errors()).toMatchObject([
    {
      code: "UNREQUESTED_304",
      cause: null,
      name: "GET /page",
      origin: url,
      count: 3,
      message: expect.stringMatching(
        `^(GET|HEAD) ${url}/page responded with status 304, although the request had no if-none-match or if-modified-since$`,
      ) as string,
    },
  ]);
});

const etag = '"1"';

test.each<{ what: string; exec: Exec }>([
  { what: "has a tag", exec: ({ http }) => http.get("/page", { headers: { "If-None-Match": etag } }) },
  {
    what: "has a time",
    exec: ({ http }) => http.get("/page", { headers: { "if-modified-since": new Date(0).toUTCString() } }),
  },
  {
    what: "has a tag, by fetch",
    exec: ({ http }) => http.fetch("/page", { headers: { "if-none-match": etag } }),
  },
  {
    what: "has a condition of its own",
    exec: ({ http }) => http.get("/page", { headers: { "x-etag": "1" } }),
  },
  { what: "polls for changes since a version", exec: ({ http }) => http.get("/changes?since=7") },
  { what: "starts what runs already", exec: ({ http }) => http.post("/containers/7/start") },
  { what: "changes nothing", exec: ({ http }) => http.put("/page", { json: {} }) },
  { what: "expects it", exec: ({ http }) => http.get("/page", { expect: [200, 304] }) },
])("a 304 is no oddity if the request $what", async ({ exec }) => {
  const { url } = await startSite(304);
  const { errors } = await runScenario(exec, { baseUrl: url });
  expect(errors()).toEqual([]);
});

test("a 304 that confirms what a cache has is no oddity", async () => {
  const { url } = await startServer(({ headers }, response) => {
    const isKnown = headers["if-none-match"] === etag;
    response.writeHead(isKnown ? 304 : 200, { etag, "cache-control": "no-cache" }).end(isKnown ? "" : "page");
  });
  const exec: Exec = async ({ http }) => {
    await http.get("/page");
    await http.get("/page");
  };
  const { errors, tagsOf } = await runScenario(exec, { baseUrl: url, http: { cache: "browser" } });
  expect(tagsOf("http_reqs").map(({ status }) => status)).toContain("304");
  expect(errors()).toEqual([]);
});

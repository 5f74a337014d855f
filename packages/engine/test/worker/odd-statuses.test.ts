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

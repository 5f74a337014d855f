import type { AnyContext } from "@bearhug/sdk/internal";
import { expect, test } from "vitest";

import { startServer } from "../../../http/test/servers.ts";
import { runScenario } from "./run-scenario.ts";

/** Starts a shop that redirects all but its error page to it, and gives this status there. */
function startShop(status = 200): ReturnType<typeof startServer> {
  return startServer(({ url = "" }, response) => {
    if (url.startsWith("/error")) response.writeHead(status);
    else response.writeHead(302, { location: "/error.aspx?from=cart" });
    response.end();
  });
}

test("requests that are redirected to an error page of status 200 are oddities, by name", async () => {
  const shop = await startShop();
  const { errors } = await runScenario(
    async ({ http }) => {
      await http.get("/cart");
      await http.post("/orders", { json: {}, name: "order" });
    },
    { baseUrl: shop.url, iterations: 3 },
  );
  const found = { code: "ERROR_PAGE", origin: shop.url, count: 3 };
  expect(errors()).toMatchObject([
    {
      ...found,
      name: "GET /cart",
      message: `GET ${shop.url}/cart was redirected to ${shop.url}/error.aspx, which looks like an error page and responded with status 200`,
    },
    { ...found, name: "order" },
  ]);
});

test("a request of fetch that is redirected to an error page is an oddity, too", async () => {
  const shop = await startShop();
  const exec = async ({ http }: AnyContext): Promise<void> => {
    await http.fetch("/cart");
    await http.fetch("/cart", { method: "POST", body: "a", name: "order" });
    await http.fetch("/cart", { redirect: "manual" });
  };
  const { errors } = await runScenario(exec, { baseUrl: shop.url, iterations: 3 });
  expect(errors()).toMatchObject([
    { code: "ERROR_PAGE", name: "GET /cart", count: 3 },
    { code: "ERROR_PAGE", name: "order", count: 3 },
  ]);
});

test.each<{ what: string; exec: (context: AnyContext) => unknown; status?: number }>([
  { what: "asks for an error page itself", exec: ({ http }) => http.get("/errors") },
  { what: "expects a status", exec: ({ http }) => http.get("/cart", { expect: 200 }) },
  { what: "follows no redirects", exec: ({ http }) => http.get("/cart", { redirects: 0 }) },
  { what: "asks for an error page with fetch", exec: ({ http }) => http.fetch("/errors") },
])("a request that $what is no oddity", async ({ exec }) => {
  const { errors } = await runScenario(exec, { baseUrl: (await startShop()).url });
  expect(errors()).toEqual([]);
});

test("an error page that fails by its status is no oddity, too", async () => {
  const { errors } = await runScenario(({ http }) => http.get("/cart"), {
    baseUrl: (await startShop(500)).url,
  });
  expect(errors().map(({ code }) => code)).toEqual(["HTTP_500"]);
});

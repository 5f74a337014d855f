import type { AnyContext } from "@bearhug/sdk/internal";
import { expect, test } from "vitest";

import { startServer } from "../../../http/test/servers.ts";
import { runScenario } from "./run-scenario.ts";

/** Starts a server that redirects `/orders` to this path, with this status. */
function startShop(status: number, location: string): ReturnType<typeof startServer> {
  return startServer(({ url }, response) => {
    if (url?.split("?")[0] === "/orders") response.writeHead(status, { location });
    response.end();
  });
}

const order = ({ http }: AnyContext): Promise<unknown> =>
  http.post("/orders?page=1", { json: { quantity: 1 } });

test.each([301, 302])(
  "a POST that becomes a GET because its path lacks a slash is an oddity: %i",
  async (status) => {
    const shop = await startShop(status, "/orders/?page=1");
    const { errors } = await runScenario(order, { baseUrl: shop.url, iterations: 4, vus: 2 });
    expect(shop.lines.filter((line) => line.startsWith("GET /orders/"))).toHaveLength(4);
    expect(errors()).toMatchObject([
      {
        code: "BODY_DROPPED",
        name: "POST /orders",
        count: 4,
        message: `POST ${shop.url}/orders was redirected with status ${status}, and so became GET ${shop.url}/orders/ without a body, as in browsers: use the address that it was redirected to`,
      },
    ]);
  },
);

test("a POST of fetch that becomes a GET in this way is an oddity, too", async () => {
  const shop = await startShop(301, "/orders/");
  const { errors } = await runScenario(({ http }) => http.fetch("/orders", { method: "POST", body: "a" }), {
    baseUrl: shop.url,
    iterations: 4,
  });
  expect(errors()).toMatchObject([{ code: "BODY_DROPPED", name: "POST /orders", count: 4 }]);
});

test.each([
  { what: "leads to another page", status: 302, location: "/orders/7" },
  { what: "leads to the site's home page", status: 301, location: "/" },
  { what: "asks for a GET", status: 303, location: "/orders/" },
  { what: "keeps the method", status: 308, location: "/orders/" },
])("a redirect that $what is no oddity", async ({ status, location }) => {
  const shop = await startShop(status, location);
  const { errors } = await runScenario(order, { baseUrl: shop.url });
  expect(errors()).toEqual([]);
});

test("a GET that is redirected to a path with a slash is no oddity", async () => {
  const shop = await startShop(301, "/orders/");
  const { errors } = await runScenario(({ http }) => http.get("/orders"), { baseUrl: shop.url });
  expect(errors()).toEqual([]);
});

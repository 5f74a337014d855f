// A tRPC client, typed by its server. It uses the global `fetch`, and sends calls made together as one
// request.
import { defineTest } from "@bearhug/sdk";
import { createTRPCClient, httpBatchLink } from "@trpc/client";

import type { ShopRouter } from "./shop/router.ts";

const baseUrl = "http://127.0.0.1:8080";

export default defineTest({
  name: "trpc client",
  baseUrl,
  scenarios: {
    shoppers: {
      executor: "constant-vus",
      vus: 4,
      duration: "2s",
      exec: async ({ check, random, think }) => {
        // Created in `exec`, so that each batch holds calls of one virtual user only.
        const { product } = createTRPCClient<ShopRouter>({
          links: [httpBatchLink({ url: `${baseUrl}/trpc` })],
        });
        const id = random.integer(1, 40);
        const [list, found] = await Promise.all([product.list.query(1), product.byId.query(id)]);
        check(list, { "has ten products": ({ length }) => length === 10 });
        check(found, { "is the requested product": ({ id: foundId }) => foundId === id });
        await think("100ms", "300ms");
      },
    },
  },
  thresholds: {
    checks: ["rate>=100%"],
    http_req_duration: ["p(95)<1s"],
    http_req_failed: ["rate<1%"],
  },
});

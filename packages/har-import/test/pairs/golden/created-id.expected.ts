// Generated once from a capture of https://shop.example. Edit freely.
import {
  defineTest,
  extract,
  isHtml,
  jsonFieldIs,
  noJsonErrors,
  statusIs,
} from "@bearhug/sdk";

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  http: { headers: { accept: "*/*", "accept-language": "en-GB,en;q=0.9" } },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99.5%"],
    http_req_failed: ["rate<1%"],
    iteration_failed: ["rate<1%"],
    // Twice the recorded time, as a starting point.
    "page_duration{page:Cart}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, group, check, think }) => {
        await page("Cart", async () => {
          check(
            await http.get("/cart", {
              headers: {
                accept:
                  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
              },
            }),
            { ...statusIs(200), ...isHtml() },
          );
        });

        await think("1.4s");

        const { cartId, itemId } = await group("POST /api/carts", async () => {
          const carts = await http.post("/api/carts", {
            json: { currency: "EUR" },
          });
          check(carts, { ...statusIs(201), ...noJsonErrors() });
          const cartId = extract(carts, { json: "id" });

          const items = await http.post(
            "/api/carts/" + encodeURIComponent(cartId) + "/items",
            { json: { cart: Number(cartId), product: "teapot", quantity: 1 } },
          );
          check(items, { ...statusIs(201), ...noJsonErrors() });
          const itemId = extract(items, { json: "id" });

          return { cartId, itemId };
        });

        await think("2.3s");

        await group("PATCH /api/carts/id/items/id", async () => {
          const items = await http.patch(
            "/api/carts/" +
              encodeURIComponent(cartId) +
              "/items/" +
              encodeURIComponent(itemId),
            { name: "PATCH /api/carts/:id/items/:id", json: { quantity: 2 } },
          );
          check(items, {
            ...statusIs(200),
            ...jsonFieldIs("ok", true),
            ...noJsonErrors(),
          });
        });
      },
    },
  },
});

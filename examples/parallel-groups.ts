// Two groups run in parallel and are measured separately. A group covers everything inside, including in called functions.
import { defineTest, type Http } from "@bearhug/sdk";

/** Does not mention groups, but its requests get the tag of the group from which it is called. */
async function readShelf(http: Http, pages: number): Promise<void> {
  for (let page = 1; page <= pages; page += 1) await http.get("/api/products", { params: { page } });
}

export default defineTest({
  baseUrl: "http://127.0.0.1:8080",
  scenarios: {
    visitors: {
      executor: "constant-vus",
      vus: 3,
      duration: "3s",
      exec: async ({ http, group, think }) => {
        await Promise.all([
          group("browse", () => readShelf(http, 3)),
          group("search", () => http.get("/search", { params: { q: "honey" } })),
        ]);
        await think("100ms", "300ms");
      },
    },
  },
  thresholds: {
    "http_req_duration{group:browse}": ["p(95)<1s"],
    "http_req_duration{group:search}": ["p(95)<1s"],
    "group_duration{group:browse}": ["p(95)<3s"],
  },
});

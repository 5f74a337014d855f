// Users from a CSV file, a different one for each virtual user: cookies, a login form, and a picture to upload.
import { readFileSync } from "node:fs";
import { csv, defineTest, extract } from "@bearhug/sdk";

const photo = readFileSync(new URL("./data/bear.svg", import.meta.url));

export default defineTest({
  name: "members",
  baseUrl: "http://127.0.0.1:8080",
  feeds: { users: csv("data/users.csv", { columns: ["name", "password"], per: "vu", unique: true }) },
  scenarios: {
    members: {
      executor: "per-vu-iterations",
      vus: 10,
      iterations: 2,
      exec: async ({ http, feeds, page, check, think }) => {
        const { name, password } = feeds.users.next();

        await page("log in", async () => {
          const form = await http.get("/login");
          const csrf = extract(form, { field: "csrf" });
          const account = await http.post("/login", { form: { user: name, password, csrf } });
          check(account, { "is greeted by name": (r) => r.text().includes(`Hello, ${name}`) });
        });
        await think("100ms", "300ms");

        await page("upload", async () => {
          const form = await http.get("/account/photo");
          const csrf = extract(form, { field: "csrf" });
          const account = await http.post("/account/photo", {
            multipart: { csrf, photo: { content: photo, filename: "bear.svg", type: "image/svg+xml" } },
          });
          check(account, { "is back at the account": (r) => r.url.endsWith("/account") });
        });
      },
    },
  },
  thresholds: {
    checks: ["rate>=100%"],
    http_req_failed: ["rate==0%"],
    "page_duration{page:upload}": ["p(95)<2s"],
  },
});

// A site makes the news: for 12 seconds, visitors read, shop and sign up, each at their own pace.
import { defineTest } from "@bearhug/sdk";

export default defineTest({
  name: "front page",
  baseUrl: "http://127.0.0.1:8080",
  setup: async ({ http }) => {
    const users = (await http.get("/users.json")).json<{ name: string }[]>();
    return { users };
  },
  scenarios: {
    readers: {
      executor: "constant-vus",
      vus: 10,
      duration: "12s",
      exec: async ({ http, page, check, think }) => {
        await page("home", async () => {
          const home = await http.get("/");
          check(home, {
            "status is 200": (r) => r.status === 200,
            "says hug": (r) => r.text().includes("Hug"),
          });
          await http.batch(["/style.css", "/app.js", "/logo.svg", "/hero.webp"]);
        });
        await think("500ms", "1500ms");
      },
    },
    shoppers: {
      executor: "constant-arrival-rate",
      rate: 8,
      duration: "12s",
      exec: async ({ http, page, random }) => {
        const id = random.integer(1, 40);
        await page("product", async () => {
          await http.get(`/products/${id}`);
          await http.batch(["/style.css", { url: `/images/${id}.png`, name: "GET /images/:id.png" }]);
        });
      },
    },
    signups: {
      executor: "shared-iterations",
      vus: 2,
      iterations: 20,
      startTime: "2s",
      exec: async ({ http, check, data, iteration, think }) => {
        const user = data.users[iteration.index % data.users.length];
        const signup = await http.post("/signup", { json: { user: user?.name } });
        check(signup, { "is signed up": (r) => r.status === 201 });
        await think("200ms", "600ms");
      },
    },
  },
  thresholds: {
    http_req_failed: ["rate<1%"],
    http_req_duration: ["p(95)<1s", "p(99)<2s"],
    "http_req_duration{page:home}": ["p(95)<1s"],
    "page_duration{page:product}": ["p(95)<2s"],
    checks: ["rate>99%"],
  },
});

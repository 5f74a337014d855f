import { defineTest } from "@bearhug/sdk";

export default defineTest({
  name: "own summary",
  baseUrl: "http://127.0.0.1:8080",
  scenarios: {
    visitors: {
      executor: "constant-vus",
      vus: 5,
      duration: "3s",
      exec: async ({ http, sleep }) => {
        await http.get("/", { name: "home" });
        await sleep("100ms");
        await http.get("/api/products", { name: "products" });
      },
    },
  },
  thresholds: { http_req_duration: ["p(95)<2s"] },
  // One line for each request name, the slowest first. Add `files` to write files too.
  summary: ({ verdict, names }) => {
    const rows = names
      .flatMap(({ name, metrics }) => {
        const duration = metrics["http_req_duration"];
        return duration?.type === "trend" ? [{ name, p95: duration.values["p(95)"] ?? 0 }] : [];
      })
      .toSorted((a, b) => b.p95 - a.p95);
    return [verdict, ...rows.map(({ name, p95 }) => `${name}: 95 % within ${p95.toFixed(1)} ms`)].join("\n");
  },
});

import { expect, test } from "vitest";

import { startServer } from "../../../http/test/servers.ts";
import { runScenario } from "./run-scenario.ts";

test("each iteration belongs to one variant, whose headers and paths replace the test's, and whose tag is on its samples", async () => {
  const seen: { path: string; encoding: string; language: string }[] = [];
  const server = await startServer((request, response) => {
    const { "accept-encoding": encoding = "", "accept-language": language = "" } = request.headers;
    seen.push({ path: request.url ?? "", encoding: encoding, language });
    response.setHeader("set-cookie", `variant=${encoding}`).end("ok");
  });
  const cookies: string[] = [];
  const { tagsOf, metric } = await runScenario(
    async ({ http, sleep, page }) => {
      await page("home", () =>
        http.get("/old?a=1", { headers: { "Accept-Encoding": "own", "accept-language": "de" } }),
      );
      await http.fetch("/plain");
      cookies.push(http.cookies.get("variant", server.url) ?? "");
      await sleep(1);
    },
    {
      baseUrl: server.url,
      iterations: 200,
      http: { cookies: "vu" },
      variants: [
        { name: "br", headers: ["Accept-Encoding", "br"], paths: [{ from: "/old", to: "/new" }] },
        { name: "gzip", headers: ["accept-encoding", "gzip"], paths: [] },
      ],
    },
  );
  const kinds = new Set(seen.map(({ path, encoding, language }) => `${path} ${encoding} ${language}`));
  expect([...kinds].toSorted()).toEqual([
    "/new?a=1 br de",
    "/old?a=1 gzip de",
    "/plain br *",
    "/plain gzip *",
  ]);
  expect(new Set(cookies)).toEqual(new Set(["br", "gzip"]));
  const variants = new Set(tagsOf("http_req_duration").map((tags) => tags["variant"]));
  expect(variants).toEqual(new Set(["br", "gzip"]));
  expect(metric("iterations{variant:br}")).toBeDefined();
  expect(metric("http_reqs{variant:gzip,page:home}")).toBeDefined();
});

import { describe, expect, test } from "vitest";

import { runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const testOf = (url: string, scenarios: string): string => `import { defineTest } from "bearhug";
const load = { executor: "shared-iterations", vus: 2 } as const;
export default defineTest({ baseUrl: "${url}", scenarios: { ${scenarios} } });`;

const browse = `browse: { ...load, iterations: 6, exec: ({ http }) => http.batch(["/", "/style.css"]) }`;
const buy = `buy: {
  ...load,
  iterations: 4,
  exec: async ({ http, group }) => {
    await group("pay", async () => {
      await http.post("/order");
      await group("confirm", () => http.get("/missing"));
    });
    throw new Error("sold out");
  },
}`;

/** Returns the section of a summary with this heading. */
function sectionOf(stdout: string, heading: string): string {
  return stdout.split("\n\n").find((section) => section.startsWith(heading)) ?? "";
}

describe("the summary shows", () => {
  test("each scenario of a test that has several, and each of its groups", async () => {
    const server = await startServer((request, response) => {
      response.statusCode = request.url === "/missing" ? 404 : 200;
      response.end();
    });
    const file = writeTest(testOf(server.url, `${browse}, ${buy}`));
    const { result, stdout } = await runForResult(["run", file, "--workers", "2"]);
    const numbersOf = ({ metrics }: (typeof result.scenarios)[number]): unknown => ({
      requests: metrics["http_reqs"]?.values,
      failed: metrics["http_req_failed"]?.values,
    });
    expect(result.scenarios.map(({ name }) => name).toSorted()).toEqual(["browse", "buy"]);
    for (const scenario of result.scenarios) {
      expect(numbersOf(scenario)).toMatchObject(
        scenario.name === "buy"
          ? { requests: { count: 8 }, failed: { rate: 0.5 } }
          : { requests: { count: 12 }, failed: { rate: 0 } },
      );
    }
    expect(sectionOf(stdout, "Scenarios")).toMatch(/^ +browse +6 +0 % +12 +0 % +[\d.]+/m);
    expect(sectionOf(stdout, "Scenarios")).toMatch(/^ +buy +4 +100 % +8 +50.00 % +[\d.]+/m);
    expect(sectionOf(stdout, "Groups")).toMatch(/^ +pay +4 +4 +0 % +[\d.]+/m);
    expect(sectionOf(stdout, "Groups")).toMatch(/^ +pay::confirm +4 +4 +100 % +[\d.]+/m);
  });

  test("no breakdown if there is one scenario without groups", async () => {
    const server = await startServer();
    const { result, stdout } = await runForResult(["run", writeTest(testOf(server.url, browse))]);
    expect(result.scenarios).toMatchObject([{ name: "browse" }]);
    expect(result.groups).toEqual([]);
    expect(stdout).not.toMatch(/^(Scenarios|Groups)/m);
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { runForResult, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const written = [
  `http.get("/users/undefined")`,
  `http.get("/ads?slot=undefined&size=NaN")`,
  "http.get(`/users/${iteration.index}/null`)",
];

test("a test may request a URL that looks like a missing value only if its own file spells it out", async () => {
  const server = await startServer();
  const scenarios = [...written, "http.get(`/ads?size=${user.size}`)"].map(
    (call, index) => `s${index}: { ...load, exec: ({ http, iteration }) => ${call} },`,
  );
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
const load = { executor: "shared-iterations", vus: 1, iterations: 2 } as const;
const user: { size?: number } = {};
export default defineTest({ baseUrl: "${server.url}", scenarios: {
${scenarios.join("\n")}
} });`);
  for (const workers of ["1", "0"]) {
    const { exitCode, result } = await runForResult(["run", file, "--workers", workers]);
    expect(exitCode).toBe(99);
    expect(result.messages).toEqual([
      expect.stringMatching(
        /^all 2 iterations of s3 failed; first error: .*GET \/ads: the query has "size=undefined", so a value is missing\. .* at .*your-test\.ts:8:\d+\n/,
      ),
    ]);
  }
  expect(server.total()).toBe(2 * 2 * written.length);
});

test("a value of a feed or of setup may look like a missing value, but not as credentials", async () => {
  const server = await startServer();
  const file = join(temporaryFolder(), "your-test.ts");
  writeFileSync(
    join(file, "..", "terms.csv"),
    "term,title\nundefined,undefined is no term\nNaN,found a NaN\n[object Object],[object Object] of a\n",
  );
  writeFileSync(
    file,
    `import { csv, defineTest } from "@bearhug/sdk";
const load = { executor: "shared-iterations", vus: 1, iterations: 3 } as const;
async function search(http: import("@bearhug/sdk").Http, term: string) {
  await http.post("/search", { form: { q: term } });
  await http.post("/search", { json: { filter: { terms: [term] } } });
  await http.post("/search", { multipart: { q: term } });
  await http.fetch("/search", { method: "POST", body: new URLSearchParams({ q: term }) });
  await http.get("/search", { headers: { "x-term": term } });
  await http.get(\`/search?q=\${encodeURIComponent(term)}\`);
  await http.get(\`/terms/\${encodeURIComponent(term)}\`);
}
export default defineTest({
  baseUrl: "${server.url}",
  feeds: { terms: csv("terms.csv") },
  setup: () => ({ term: atob("${btoa("undefined")}") }),
  scenarios: {
    setup: { ...load, exec: ({ http, data }) => search(http, data.term) },
    feed: { ...load, exec: ({ http, feeds }) => search(http, feeds.terms.next().term) },
    title: { ...load, exec: ({ http, feeds }) => http.get("/", { headers: { title: feeds.terms.next().title } }) },
    bearer: { ...load, exec: ({ http, feeds }) => http.get("/", { auth: { bearer: feeds.terms.rows[0]?.term ?? "" } }) },
    token: { ...load, exec: ({ http, feeds }) => http.get("/", { headers: { Authorization: feeds.terms.rows[0]?.term ?? "" } }) },
    header: { ...load, exec: ({ http, feeds }) => http.get("/", { headers: { authorization: "Bearer " + feeds.terms.rows[0]?.term } }) },
  },
});`,
  );
  const { exitCode, result } = await runForResult(["run", file]);
  expect(result.messages).toEqual([
    expect.stringContaining('auth.bearer is "undefined"'),
    expect.stringContaining('Authorization has "undefined"'),
    expect.stringContaining('authorization has "undefined"'),
  ]);
  expect(exitCode).toBe(99);
  expect(server.total()).toBe(3 * 7 * 2 + 3);
});

test("an address from the command line is used as it is", async () => {
  const server = await startServer();
  const { exitCode, result } = await runForResult([`${server.url}/undefined?page=NaN`, "-n", "3", "-c", "1"]);
  expect(exitCode, result.messages.join("\n")).toBe(0);
  expect(server.total()).toBe(3);
});

import { gzipSync } from "node:zlib";

import { expect, test } from "vitest";

import { runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

test("bearhug's own errors that a test catches are counted with their lines, and fail nothing", async () => {
  const server = await startServer();
  const slips = [
    `try { await http.get("http://127.0.0.2:9/"); } catch {}`,
    `await http.post("/", { josn: {} } as never).catch(() => undefined);`,
    `try { await fetch("http://127.0.0.2:9999/"); } catch {}`,
    `try { void (env as any).REGOIN; } catch {}`,
    `try { (metrics as any).fund.add(true); } catch {}`,
    `try { metrics.size.add(-1); } catch {}`,
    `try { check(1, {}); } catch {}`,
  ];
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({ baseUrl: "${server.url}", env: { REGION: { default: "eu" } }, metrics: { found: { type: "rate" }, size: { type: "counter" } },
scenarios: { s: { executor: "shared-iterations", vus: 2, iterations: 4, exec: async ({ http, env, metrics, check }) => {
await http.get("/");
${slips.join("\n")}
} } } });`);
  const { exitCode, stdout, result } = await runForResult(["run", file]);
  expect(exitCode, stdout).toBe(0);
  expect(result.accounting.iterations).toMatchObject({ completed: 4, failed: 0 });
  for (const [index, slip] of slips.entries()) {
    const found = result.errors.filter(({ source }) => source?.line === 5 + index);
    expect(found, slip).toMatchObject([{ code: "CAUGHT_BY_TEST", name: "s", count: 4 }]);
    expect(found[0]?.message).toMatch(/ \(the test caught this error\)$/);
  }
  expect(result.errors).toHaveLength(slips.length);
});

test("an error that ends its iteration, or that nothing awaited, is counted once", async () => {
  const server = await startServer();
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
const load = { executor: "shared-iterations", iterations: 2 } as const;
export default defineTest({ baseUrl: "${server.url}", scenarios: {
a: { ...load, exec: async ({ http }) => { await http.get("/"); await http.get("http://127.0.0.2:9/"); } },
b: { ...load, exec: async ({ http }) => { void http.get("http://127.0.0.2:9/"); await http.get("/"); } },
c: { ...load, exec: async ({ http }) => { await http.get("/"); try { await http.get("http://127.0.0.2:9/"); } catch (cause) { throw new Error("wrapped", { cause }); } } },
d: { ...load, exec: async ({ http }) => { await http.get("/"); void fetch("http://127.0.0.2:9999/"); } },
e: { ...load, exec: async ({ http }) => { void http.fetch("http://127.0.0.2:9999/"); await http.get("/"); } },
f: { ...load, exec: async ({ http }) => { await http.get("/"); void http.batch(["http://127.0.0.2:9999/"]); } },
g: { ...load, exec: async ({ http }) => { await http.get("/"); void fetch("http://127.0.0.2:9999/").catch(() => undefined); } },
} });`);
  const { result } = await runForResult(["run", file]);
  expect(result.errors.map(({ code, name, count }) => [name, code, count]).toSorted()).toEqual([
    ["a", "TEST_THREW", 2],
    ["b", "UNHANDLED_REJECTION", 2],
    ["c", "TEST_THREW", 2],
    ["d", "UNHANDLED_REJECTION", 2],
    ["e", "UNHANDLED_REJECTION", 2],
    ["f", "UNHANDLED_REJECTION", 2],
    ["g", "CAUGHT_BY_TEST", 2],
  ]);
  for (const { name, source } of result.errors)
    expect(source?.line, name).toBe(4 + ["a", "b", "c", "d", "e", "f", "g"].indexOf(name));
  expect(result.accounting.iterations).toMatchObject({ completed: 2, failed: 12 });
});

test("a request that throws unawaited fails the iteration that made it, not the one that opened its connection", async () => {
  const server = await startServer(({ url }, response) => {
    response.statusCode = url === "/none" ? 404 : 302;
    response.setHeader("location", "http://127.0.0.2:9/").end();
  });
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
const load = { executor: "shared-iterations", iterations: 5 } as const;
export default defineTest({ baseUrl: "${server.url}", scenarios: {
a: { ...load, exec: ({ http }) => { void http.get("/none", { throwOnError: true }); } },
b: { ...load, exec: ({ http, page }) => page("p", () => { void http.get("/none", { throwOnError: true }); }) },
c: { ...load, exec: ({ http }) => { void http.get("/moved", { throwOnError: true }); } },
} });`);
  const { result } = await runForResult(["run", file]);
  const strays = result.errors.filter(({ code }) => code === "UNHANDLED_REJECTION");
  expect(new Set(strays.map(({ name, count }) => `${name} ${count}`))).toEqual(
    new Set(["a 5", "b 5", "c 5"]),
  );
  expect(result.accounting.iterations).toMatchObject({ completed: 0, failed: 15 });
});

test("failed requests of setup, and a feed that ends the load early, are noted in the first lines", async () => {
  const server = await startServer((request, response) => {
    response.statusCode = request.url === "/login" ? 401 : 200;
    response.end();
  });
  const file = writeTest(`import { defineTest, rows } from "@bearhug/sdk";
export default defineTest({ baseUrl: "${server.url}", feeds: { users: rows([{ name: "ada" }, { name: "bob" }], { atEnd: "stop" }) },
setup: async ({ http }) => { await http.post("/login"); },
scenarios: { s: { executor: "constant-vus", vus: 1, duration: "30s", exec: async ({ http, feeds }) => { await http.get("/" + feeds.users.next().name, { name: "user" }); } } } });`);
  const { exitCode, stdout, result } = await runForResult(["run", file]);
  expect(exitCode, stdout).toBe(0);
  expect(result.notes).toEqual([
    "1 of 1 request of setup failed: POST /login",
    'scenario s ended after 2 iterations, because feed users has atEnd: "stop" and its 2 rows were used up',
  ]);
});

test("a target that responds before it has received a body is noted, and fails nothing", async () => {
  const server = await startServer((_request, response) => void response.end());
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
const body = new Uint8Array(32_000_000);
export default defineTest({ baseUrl: "${server.url}", scenarios: { s: { executor: "shared-iterations", iterations: 2,
exec: async ({ http }) => { await http.post("/upload", { body }); await http.post("/small", { body: "a" }); } } } });`);
  const { exitCode, stdout, result } = await runForResult(["run", file]);
  expect(exitCode, stdout).toBe(0);
  expect(result.notes).toEqual([
    "2 requests succeeded before the body was sent (POST /upload): the target did not receive all of it",
  ]);
  expect(result.errors).toMatchObject([{ code: "UPLOAD_ABORTED", name: "POST /upload", count: 2 }]);
  expect(result.errors[0]?.message).toMatch(
    /^POST \S+\/upload responded with status 200 before its body was sent: upload aborted after \d+ bytes$/,
  );
  expect(result.accounting.requests).toMatchObject([
    { name: "POST /upload", succeeded: 2, failed: 0 },
    { name: "POST /small", succeeded: 2, failed: 0 },
  ]);
});

test("a session lost to a Secure cookie, and a POST that became a GET, are noted, and fail nothing", async () => {
  const server = await startServer(({ url }, response) => {
    if (url === "/login") response.setHeader("set-cookie", "sid=1; Secure");
    if (url === "/orders") response.writeHead(301, { location: "/orders/" });
    response.end();
  });
  const shop = server.url.replace("127.0.0.1", "shop.test");
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({ baseUrl: "${shop}", http: { hosts: { "shop.test": "127.0.0.1" } },
scenarios: { s: { executor: "shared-iterations", vus: 2, iterations: 4, exec: async ({ http }) => {
await http.get("/login"); await http.post("/orders", { json: {} }); } } } });`);
  const { exitCode, stdout, result } = await runForResult(["run", file]);
  expect(exitCode, stdout).toBe(0);
  expect(result.notes).toEqual([
    `4 POSTs became GETs in a redirect (POST /orders): POST ${shop}/orders was redirected with status 301, and so became GET ${shop}/orders/ without a body, as in browsers: use the address that it was redirected to`,
    `at least 4 requests lacked a cookie that the target had set (POST /orders): no browser would keep the cookie "sid" that ${shop} set: it is Secure, and the address has no TLS`,
  ]);
  for (const note of result.notes) expect(stdout).toContain(note.slice(0, 40));
  expect(result.accounting.requests.map(({ failed }) => failed)).toEqual([0, 0, 0]);
});

test("a bot filter that answers everything with status 202 fails a test of one URL, and says what to do", async () => {
  const server = await startServer((_request, response) => {
    response.writeHead(202, { "x-amzn-waf-action": "challenge" }).end();
  });
  const { exitCode, stdout, result } = await runForResult([server.url, "-n", "20"]);
  expect(exitCode, stdout).toBe(99);
  expect(result.messages).toEqual([
    `no request succeeded: BOT_CHALLENGE at ${server.url.slice("http://".length)} (a bot filter responds in place of the application: exempt this machine in its rules)`,
  ]);
});

const fullPage = "<p>article</p>".repeat(1000);

/** Starts a server that responds with these bodies in turn, and with the last one from then on. */
function startSending(bodies: readonly string[], status = 200): ReturnType<typeof startServer> {
  let sent = 0;
  return startServer((_request, response) => {
    const body = bodies[Math.min(sent++, bodies.length - 1)] ?? "";
    response.writeHead(sent === 1 ? 200 : status).end(status === 204 && sent > 1 ? "" : body);
  });
}

test.each([
  { what: "a page that says that it is busy", body: "<p>Please try again later</p>" },
  { what: "an empty page", body: "" },
])("a test of one URL notes $what in place of the page", async ({ body }) => {
  const server = await startSending([fullPage, fullPage, body]);
  const { exitCode, stdout, result } = await runForResult([server.url, "-n", "10", "-c", "1"]);
  expect(exitCode, stdout).toBe(0);
  expect(result.notes).toEqual([
    "8 responses of status 200 had at most a tenth of the largest body (GET /): the target may respond with an error page. Look at its log, or check the content in a test (bearhug init)",
  ]);
  expect(result.errors).toMatchObject([{ code: "BODY_SHRUNK", name: "GET /", count: 8 }]);
  expect(result.errors[0]?.message).toBe(
    `GET ${server.url}/ responded with status 200 and a body of ${body.length} bytes, after one of ${fullPage.length} bytes`,
  );
  expect(result.accounting.requests).toMatchObject([{ name: "GET /", succeeded: 10, failed: 0 }]);
});

test.each([
  { what: "bodies that differ less", bodies: [fullPage, fullPage.slice(0, fullPage.length / 9)] },
  { what: "small bodies", bodies: ["a".repeat(4000), ""] },
  { what: "responses without a body", bodies: [fullPage], status: 204 },
  { what: "equal bodies", bodies: [fullPage] },
])("a test of one URL notes nothing about $what", async ({ bodies, status }) => {
  const server = await startSending(bodies, status);
  const { result } = await runForResult([server.url, "-n", "10", "-c", "1"]);
  expect(result).toMatchObject({ exitCode: 0, notes: [], errors: [] });
});

test("a test with a file says by checks what its pages should be: their sizes may differ", async () => {
  const server = await startSending([fullPage, "[]"]);
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({ baseUrl: "${server.url}", scenarios: { s: { executor: "shared-iterations", iterations: 9,
exec: async ({ http }) => { await http.get("/basket"); } } } });`);
  const { result } = await runForResult(["run", file]);
  expect(result).toMatchObject({ exitCode: 0, notes: [], errors: [] });
});

test("a test of one URL notes nothing about a page that is compressed after its first request", async () => {
  let sent = 0;
  const server = await startServer((_request, response) => {
    if (++sent === 1) response.end(fullPage);
    else response.setHeader("content-encoding", "gzip").end(gzipSync(fullPage));
  });
  const { result } = await runForResult([server.url, "-n", "5", "-c", "1", "-H", "accept-encoding: gzip"]);
  expect(result).toMatchObject({ exitCode: 0, notes: [], errors: [] });
});

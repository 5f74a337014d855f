import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { expect, onTestFinished, test } from "vitest";

import { runForResult, writeTest } from "../end-to-end/run-bearhug.ts";

const page = readFileSync(new URL("../../../../docs/k6.md", import.meta.url), "utf8");
const [, section = ""] = /^## Requests, responses and cookies\n([^]*?)^## /m.exec(page) ?? [];

const rows = section.match(/^- .*/gm) ?? [];

/** Returns the code in bearhug's half of each row, after the arrow, without bare option names. */
function codeOfRows(): string[] {
  const ours = rows.map((row) => row.split(" → ")[1] ?? "");
  const code = ours.flatMap((half) => [...half.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text));
  return code.filter((text) => /[.:({]/.test(text) && !/^http\.redirects$/.test(text));
}

/** The body of a test that uses the code of every row. Its checks verify the effects. */
const port = `
const options = { headers: { accept: "text/html" }, tags: { kind: "page" }, timeout: "10s" } as const;
const login = await http.post("/login", { form: { user: "ada" } });
const res = await http.get("/cart", { ...options, cookies: { theme: "dark" } });
const jar = http.newJar();
await http.get("/jar", { jar });
check(null, { "jar apart": jar.get("sid") === null && http.cookies.get("sid") === "1" });
http.cookies.set("id", "1", { maxAge: 60 });
check(http.cookies.all("/"), { "cookie is set": (all) => all.get("id") === "1" });
http.cookies.set("id", "", { maxAge: 0 });
check(http.cookies.all("/"), { "cookie is deleted": (all) => !all.has("id") });
check(login, { "sets a cookie": (res) => res.cookies.get("sid") === "1" });
check(await http.get("/moved", { redirects: 0 }), { "not followed": (r) => r.status === 302 });
await http.get("/cart", options);
const deleted = await http.delete("/cart");
const got = await http.request("GET", "/cart");
check(null, { methods: deleted.text() === "DELETE" && got.text().startsWith("<title>") });
await http.get("/cart", { discardBodies: true });
check(await http.get("/missing", { expect: [200, { min: 400, max: 404 }] }), { expected: (r) => r.status === 404 });
await http.post("/login", { body: "x".repeat(50), compress: "gzip" });
await http.get("/cart", { auth: { username: "ada", password: "honey" } });
await http.get("/cart", { auth: { type: "digest", username: "ada", password: "honey" } });
await http.post("/login", { json: { user: "ada" } });
await http.batch(["/", { method: "POST", url: "/login", json: { user: "ada" } }]);
await http.post("/login", { multipart: { file: { content: "data", filename: "a.txt", type: "text/plain" } } });
const [home, style] = await http.batch(["/", "/a.css"]);
check(null, { batch: home.ok && style.ok });
check(res, {
  body: () => res.text().includes("csrf") && res.bytes().length > 10,
  type: () => res.headers.get("content-type") === "text/html",
  protocol: () => res.protocol === ["HTTP/1.1", "HTTP/2"][0],
  timings: () => res.timings.tlsHandshaking === 0 && res.timings.lookingUp >= 0,
  error: () => res.error?.message === undefined && res.error?.code === undefined,
  address: () => res.connection?.remoteAddress === "127.0.0.1" && res.connection?.tls?.version === undefined,
  title: () => extract(res, { between: ["<title>", "</title>"] }) === "Cart",
});
await http.post("/login", { form: { csrf: extract(res, { field: "csrf" }) } });
{
  const res = await http.get("/user");
  check(null, { ok: res.json<{ ok?: boolean }>().ok });
  check(null, { "inner value": extract(res, { json: "user.id" }) === "7" });
  check(res, { done: true }) || metrics.errors.add(1);
}
log("order", { id: 7 });
console.log("done");
`;

function answer(path: string): [status: number, type: string, body: string] {
  if (path === "/user") return [200, "application/json", '{"ok":true,"user":{"id":7}}'];
  if (path === "/missing") return [404, "text/html", ""];
  return [path === "/moved" ? 302 : 200, "text/html", '<title>Cart</title><input name="csrf" value="c1">'];
}

test("the code of each row is part of a test whose checks all pass", async () => {
  expect(rows.filter((row) => row.split(" → ").length !== 2)).toEqual([]);
  const code = codeOfRows();
  expect(code.length).toBeGreaterThan(30);
  expect(code.filter((text) => !port.includes(text.replace(/^\{ (.*) \}$/, "$1")))).toEqual([]);

  const server = createServer((request, response) => {
    const [status, type, body] = answer(request.url ?? "");
    const cookie = request.url === "/login" ? { "set-cookie": "sid=1; Path=/" } : {};
    response.writeHead(status, { "content-type": type, location: "/", ...cookie });
    request.resume();
    response.end(request.method === "DELETE" ? "DELETE" : body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port: number } = server.address() as AddressInfo;
  const file = writeTest(`import { defineTest, extract } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "http://127.0.0.1:${number}",
  metrics: { errors: { type: "rate" } },
  scenarios: { all: { executor: "shared-iterations", vus: 1, iterations: 1,
    exec: async ({ http, check, log, metrics }) => {${port}} } },
  thresholds: { checks: ["rate==100%"], http_req_failed: ["rate==0%"], iteration_failed: ["rate==0%"] },
});`);
  const { exitCode, result, stderr } = await runForResult(["run", file]);
  expect(result.checks.filter(({ fails }) => fails > 0)).toEqual([]);
  expect(stderr).toContain("order { id: 7 }");
  expect(exitCode, stderr).toBe(0);
});

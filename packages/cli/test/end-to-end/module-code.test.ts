import { expect, test } from "vitest";

import { runBearhug, runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const cases = [
  { what: "in the only load worker, which is the thread that described the test", runs: 1 },
  { what: "in each of two load workers", workers: 2, runs: 2 },
  { what: "also in the thread of setup and teardown", definition: "setup: () => undefined,", runs: 2 },
  { what: "again where `fetch` is the engine's", code: "globalThis.fetch;", runs: 2 },
  { what: "again under the rules of the load, if it connected", code: "await connect();", runs: 2 },
];

test.each(cases)(
  "code outside of functions runs $what",
  async ({ workers = 1, definition = "", code = "", runs }) => {
    const server = await startServer();
    const file = writeTest(`import { defineTest } from "@bearhug/sdk";
import { connect as open } from "node:net";
import { once } from "node:events";
const connect = async () => { const socket = open(${new URL(server.url).port}, "127.0.0.1"); await once(socket, "connect"); socket.destroy(); };
${code}
console.log("module code");
export default defineTest({
  baseUrl: "${server.url}",
  ${definition}
  scenarios: {
    s: { executor: "shared-iterations", vus: 2, iterations: 4, exec: async ({ http }) => { await http.get("/"); } },
  },
});`);
    const { exitCode, stderr } = await runBearhug(["run", file, "--workers", String(workers)]);
    expect(stderr.match(/module code/g)).toHaveLength(runs);
    expect(exitCode).toBe(0);
    expect(server.counts.get("GET /")).toBe(4);
  },
);

test("a worker that speaks plain HTTP does not load modules that it does not use", async () => {
  const server = await startServer();
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    s: {
      executor: "shared-iterations", vus: 1, iterations: 1,
      exec: async ({ http }) => {
        await http.get("/");
        const loaded = (name) => process.moduleLoadList.includes("NativeModule " + name);
        console.log("loaded:", ["net", "tls", "crypto", "zlib", "child_process"].filter(loaded).join(" "));
      },
    },
  },
});`);
  const { exitCode, stderr } = await runBearhug(["run", file, "--workers", "1"]);
  expect(exitCode).toBe(0);
  expect(stderr).toBe("bearhug: loaded: net  (console)\n");
});

test("a module that throws in load workers alone ends the run at once, for that reason alone", async () => {
  const { url } = await startServer();
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
setInterval(() => undefined, 1000);
await fetch("${url}");
export default defineTest({
  baseUrl: "${url}",
  scenarios: { s: { executor: "constant-vus", vus: 1, duration: "1s", exec: ({ http }) => http.get("/") } },
});`);
  const { exitCode, result } = await runForResult(["run", file, "--workers", "2"]);
  expect(exitCode).toBe(107);
  expect(result.messages).toEqual([expect.stringContaining("A request was sent outside of an iteration")]);
});

test("a server of the module that checked itself answers until the load is over", async () => {
  const { url } = await startServer();
  const file = writeTest(`import { once } from "node:events";
import { createServer, get } from "node:http";
import { defineTest } from "@bearhug/sdk";
const server = createServer((_, response) => response.end()).listen(0, "127.0.0.1");
await once(server, "listening");
const url = "http://127.0.0.1:" + server.address().port;
const [response] = await once(get(url), "response");
response.resume();
export default defineTest({
  baseUrl: url,
  allowHosts: ["127.0.0.1"],
  scenarios: {
    s: { executor: "constant-vus", vus: 1, duration: "2s", exec: async ({ http, sleep }) => { await http.get("/"); await sleep("50ms"); } },
  },
});`);
  const { exitCode, result, stderr } = await runForResult(["run", file]);
  expect(exitCode, stderr + url).toBe(0);
  expect(result.metrics["http_req_failed"]).toMatchObject({ values: { rate: 0 } });
});

import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { pathToFileURL } from "node:url";

import { expect, onTestFinished, test } from "vitest";

import { defineTest } from "../../src/index.ts";
import { runTest } from "../../../engine/test/run/awaited-run.ts";
import { writeTest } from "../end-to-end/run-bearhug.ts";
import { startServer, type TestServer } from "../end-to-end/test-server.ts";

/** Connects to a server in each way, as code of a program may. */
async function connectInEachWay({ url }: TestServer): Promise<void> {
  const form = new FormData();
  form.append("sent", "by the program");
  const response = await fetch(new Request(`${url}/fetched`, { method: "POST", body: form }));
  if (!(response instanceof Response)) throw new TypeError("fetch and Response do not belong together");
  await response.text();
  const [reply] = (await once(get(`${url}/got`, { agent: false }), "response")) as [IncomingMessage];
  reply.resume();
  const socket = connect(Number(new URL(url).port), "localhost");
  await once(socket, "connect");
  socket.destroy();
}

/** Starts a server that connects to another one in each way for each request. */
async function startApp(upstream: TestServer): Promise<TestServer> {
  return startServer((_request, response) => {
    connectInEachWay(upstream).then(
      () => response.end("answered"),
      (error: unknown) => {
        response.statusCode = 502;
        response.end(String(error));
      },
    );
  });
}

const twentyIterations = { executor: "shared-iterations", vus: 3, iterations: 20 } as const;

test("a server beside a test object connects as it likes, and the test cannot", async () => {
  const upstream = await startServer();
  const app = await startApp(upstream);
  const refusals: unknown[] = [];
  const result = await runTest(
    defineTest({
      baseUrl: app.url,
      scenarios: {
        s: {
          ...twentyIterations,
          exec: async ({ http, check }) => {
            const response = await http.get("/");
            check(response, { answered: () => response.text() === "answered" });
            await fetch(`${upstream.url}/of-the-test`).catch((error: unknown) =>
              refusals.push(error instanceof Error ? error.cause : error),
            );
            const socket = connect(Number(new URL(upstream.url).port), "127.0.0.1");
            await once(socket, "connect").catch((error: unknown) => refusals.push(error));
          },
        },
      },
      thresholds: { checks: ["rate==1"] },
    }),
  );
  expect(result).toMatchObject({ verdict: "passed", messages: [] });
  expect(Object.fromEntries(upstream.counts)).toEqual({ "POST /fetched": 20, "GET /got": 20 });
  expect(refusals).toHaveLength(40);
  for (const refusal of refusals) expect(refusal).toMatchObject({ code: "HOST_NOT_ALLOWED" });
  expect(result.unmeasured).toMatchObject([
    { host: new URL(upstream.url).host, stage: "load", requests: 0, connections: 0, refused: 40 },
  ]);
});

test("a server, a reporter and a timer beside a test object do not count as its traffic", async () => {
  const upstream = await startServer();
  const app = await startApp(upstream);
  const failures: unknown[] = [];
  const call = (): Promise<void> =>
    connectInEachWay(upstream).catch((error: unknown) => void failures.push(error));
  const timer = setInterval(() => void call(), 20);
  let intervals = 0;
  const onInterval = (): void => {
    intervals++;
    void call();
  };
  const reporter = { onInterval, onEnd: call };
  const result = await runTest(
    defineTest({
      baseUrl: app.url,
      setup: async ({ http }) => {
        await http.get("/setup");
      },
      teardown: async ({ http }) => {
        await http.get("/teardown");
      },
      scenarios: {
        s: {
          executor: "constant-vus",
          vus: 1,
          duration: "1200ms",
          exec: async ({ http, sleep }) => {
            await http.get("/");
            await sleep("10ms");
          },
        },
      },
      thresholds: { http_req_failed: ["rate==0"] },
    }),
    { reporters: [reporter] },
  );
  clearInterval(timer);
  expect(intervals).toBeGreaterThan(0);
  expect(failures).toEqual([]);
  expect(result.accounting.setup.requests).toMatchObject([{ succeeded: 1 }]);
  expect(result.accounting.teardown.requests).toMatchObject([{ succeeded: 1 }]);
  expect(result).toMatchObject({ verdict: "passed", messages: [] });
  expect(result.unmeasured).toEqual([]);
});

test("a server beside a test object keeps the dispatcher that an older copy of undici gave it", async () => {
  const symbol = Symbol.for("undici.globalDispatcher.1");
  const before: unknown = Reflect.get(globalThis, symbol);
  const chosen = {
    dispatch: () => {
      throw new TypeError("refused by the chosen dispatcher");
    },
  };
  Reflect.set(globalThis, symbol, chosen);
  onTestFinished(() => void Reflect.set(globalThis, symbol, before));
  const causes: unknown[] = [];
  const app = await startServer((_request, response) => {
    fetch("http://127.0.0.1:19999/").catch((error: unknown) => {
      causes.push(error instanceof Error ? error.cause : error);
      response.end();
    });
  });
  await runTest(
    defineTest({
      baseUrl: app.url,
      scenarios: { s: { ...twentyIterations, exec: async () => (await fetch(new Request(app.url))).text() } },
    }),
  );
  expect(causes).toHaveLength(20);
  for (const cause of causes) expect(cause).toMatchObject({ message: "refused by the chosen dispatcher" });
  expect(Reflect.get(globalThis, symbol)).toBe(chosen);
});

test("code of a test's module is still restricted in a program's thread", async () => {
  const [server, other] = [await startServer(), await startServer()];
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
let call = () => undefined;
const timer = setInterval(() => call(), 5);
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    s: {
      executor: "shared-iterations", vus: 1, iterations: 1,
      exec: async ({ http, log }) => {
        await http.get("/");
        const error = await new Promise((resolve) => {
          call = () => {
            clearInterval(timer);
            fetch("${other.url}/of-the-module").then(resolve, resolve);
          };
        });
        log(error.cause?.code);
      },
    },
  },
});`);
  const messages: string[] = [];
  await runTest(pathToFileURL(file), { workers: 0, onMessage: (text) => void messages.push(text) });
  expect(messages).toEqual(["FETCH_OUTSIDE_ITERATION  (s, VU 1)"]);
  expect(other.total()).toBe(0);
});

test("requests of setup that are under way at the end of the run, or begin later, cause no unhandled rejection", async () => {
  const server = await startServer((request, response) => {
    if (request.url !== "/slow") response.end();
  });
  const unhandled: unknown[] = [];
  const listener = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", listener);
  let timer: NodeJS.Timeout | undefined;
  onTestFinished(() => {
    process.off("unhandledRejection", listener);
    clearInterval(timer);
  });
  const result = await runTest(
    defineTest({
      baseUrl: server.url,
      setup: ({ http }) => {
        timer = setInterval(() => void http.get("/slow"), 5);
      },
      scenarios: { s: { ...twentyIterations, exec: async ({ http }) => http.get("/") } },
    }),
  );
  expect(result).toMatchObject({ verdict: "passed" });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(server.counts.get("GET /slow")).toBeGreaterThan(0);
  expect(unhandled).toEqual([]);
});

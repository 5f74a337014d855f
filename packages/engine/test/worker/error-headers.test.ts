import type { AnyContext } from "@bearhug/sdk/internal";
import { expect, test } from "vitest";

import { startServer } from "../../../http/test/servers.ts";
import { runScenario } from "./run-scenario.ts";

/** Starts a server that responds with this status and these headers. */
async function startService(
  headers: Readonly<Record<string, string>>,
  status = 200,
): ReturnType<typeof startServer> {
  return startServer((_, response) => {
    response.writeHead(status, headers).end();
  });
}

const call = ({ http }: AnyContext): unknown => http.post("/shop.Cart/Add", { body: "a" });

test.each([
  { what: "bearhug's client", http: {} },
  { what: "undici", http: { transport: "undici" as const } },
])("a response of status 200 whose header reports a failure is an oddity: $what", async ({ http }) => {
  const { url } = await startService({ "grpc-status": "14", "grpc-message": "no healthy upstream" });
  const { errors } = await runScenario(call, { baseUrl: url, iterations: 3, http });
  expect(errors()).toMatchObject([
    {
      code: "ERROR_HEADER",
      cause: "UNAVAILABLE",
      name: "POST /shop.Cart/Add",
      origin: url,
      count: 3,
      message: `POST ${url}/shop.Cart/Add responded with status 200 and grpc-status: 14 (UNAVAILABLE)`,
    },
  ]);
});

test("a response of status 200 that has an error of AWS is an oddity", async () => {
  const { url } = await startService({ "x-amz-function-error": "Unhandled" });
  const { errors } = await runScenario(call, { baseUrl: url });
  expect(errors()).toMatchObject([
    {
      code: "ERROR_HEADER",
      cause: null,
      message: `POST ${url}/shop.Cart/Add responded with status 200 and x-amz-function-error: Unhandled`,
    },
  ]);
});

test("a response to fetch whose header reports a failure is an oddity, too", async () => {
  const { url } = await startService({ "Grpc-Status": " 7 " });
  const { errors } = await runScenario(({ http }) => http.fetch("/a"), { baseUrl: url });
  expect(errors()).toMatchObject([{ code: "ERROR_HEADER", cause: "PERMISSION_DENIED", name: "GET /a" }]);
});

test.each<{ what: string; headers: Record<string, string>; status?: number; exec?: typeof call }>([
  { what: "the call succeeded", headers: { "grpc-status": "0" } },
  { what: "the object is not there", headers: { "grpc-status": "5" } },
  { what: "the object is there already", headers: { "grpc-status": "6" } },
  { what: "a transaction lost", headers: { "grpc-status": "10" } },
  { what: "the status is no number", headers: { "grpc-status": "unavailable" } },
  { what: "a browser may read the header", headers: { "access-control-expose-headers": "grpc-status" } },
  { what: "another header is as long", headers: { "retry-after": "14" } },
  { what: "the result is to be asked for later", headers: { "retry-after": "1" }, status: 202 },
  { what: "a function is only started", headers: { "x-amz-function-error": "Unhandled" }, status: 202 },
  { what: "it is a redirect", headers: { "grpc-status": "14", location: "/" }, status: 302 },
  {
    what: "the test expects the status",
    headers: { "grpc-status": "14" },
    exec: ({ http }) => http.get("/", { expect: 200 }),
  },
])("a response is no oddity if $what", async ({ headers, status, exec = call }) => {
  const { url } = await startService(headers, status);
  const { errors } = await runScenario(exec, { baseUrl: url, http: { redirects: 0 } });
  expect(errors()).toEqual([]);
});

test("a response that fails by its status is no oddity, too", async () => {
  const { url } = await startService({ "grpc-status": "14" }, 503);
  const { errors } = await runScenario(call, { baseUrl: url });
  expect(errors().map(({ code }) => code)).toEqual(["HTTP_503"]);
});

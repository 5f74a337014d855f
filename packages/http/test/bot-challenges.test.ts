import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { describe, expect, test } from "vitest";

import { ways } from "./fetch/ways.ts";
import { type HttpServer, startServer } from "./servers.ts";
import { startClient } from "./start-client.ts";

async function startAnswering(
  status: number,
  headers: Readonly<Record<string, string>>,
): Promise<HttpServer> {
  return startServer((_request, response) => void response.writeHead(status, headers).end("<html></html>"));
}

const challenges = [
  { status: 202, header: "x-amzn-waf-action", value: "challenge" },
  { status: 405, header: "x-amzn-waf-action", value: "captcha" },
  { status: 403, header: "cf-mitigated", value: "challenge" },
  { status: 429, header: "x-vercel-mitigated", value: "challenge" },
];

describe("a challenge of a bot filter", () => {
  test.each(challenges)("$status with $header: $value fails", async ({ status, header, value }) => {
    const server = await startAnswering(status, { [header]: value });
    const { http, row, metric, engine } = startClient(server.url);
    const response = await http.get("/");
    expect(response).toMatchObject({ status, error: { code: "BOT_CHALLENGE" } });
    expect(response.error?.message).toBe(
      `a bot filter at ${server.url} responded in place of the application, with status ${status} and ${header}: ${value}`,
    );
    expect(response.text()).toBe("<html></html>");
    expect(row("GET /")).toMatchObject({ started: 1, succeeded: 0, failed: 1 });
    expect(metric("http_req_failed")).toMatchObject({ trues: 1, samples: 1 });
    expect(engine.errors.all()).toMatchObject([{ code: "BOT_CHALLENGE", count: 1 }]);
    await expect(http.get("/", { throwOnError: true })).rejects.toMatchObject({ name: "RequestFailedError" });
  });

  test("fails although the test expects its status, and at the end of a redirect", async () => {
    const server = await startServer((request, response) => {
      if (request.url === "/moved") response.writeHead(302, { location: "/" }).end();
      else response.writeHead(202, { "X-Amzn-Waf-Action": "challenge" }).end();
    });
    const { http, row } = startClient(server.url, [], [], {
      ...defaultHttp,
      expect: [{ min: 202, max: 202 }],
    });
    expect((await http.get("/moved")).error).toMatchObject({ code: "BOT_CHALLENGE" });
    expect(row("GET /moved")).toMatchObject({ succeeded: 1, failed: 0 });
    expect(row("GET /")).toMatchObject({ succeeded: 0, failed: 1 });
  });

  test.each(Object.entries(ways))("fails by %s", async (_by, send) => {
    const server = await startAnswering(202, { "x-amzn-waf-action": "challenge" });
    const client = startClient(server.url);
    const asked = { url: `${server.url}/`, method: "GET", headers: {}, body: null, signal: null };
    expect(await send(client, asked)).toEqual({ status: 202, text: "<html></html>" });
    expect(client.row("GET /")).toMatchObject({ succeeded: 0, failed: 1 });
    expect(client.engine.errors.all()).toMatchObject([{ code: "BOT_CHALLENGE", count: 1 }]);
  });
});

test.each([
  { what: "an accepted job", status: 202, headers: {} },
  { what: "a job accepted behind AWS WAF", status: 202, headers: { "x-amzn-waf-action": "count" } },
  { what: "a job accepted behind Cloudflare", status: 202, headers: { server: "cloudflare", "cf-ray": "1" } },
  { what: "a page that was let through", status: 200, headers: { "x-vercel-mitigated": "" } },
])("$what succeeds", async ({ status, headers }) => {
  const server = await startAnswering(status, headers);
  const { http, row, engine } = startClient(server.url);
  expect(await http.get("/")).toMatchObject({ status, error: null });
  expect(row("GET /")).toMatchObject({ succeeded: 1, failed: 0 });
  expect(engine.errors.all()).toEqual([]);
});

test("an application's own refusal keeps its status as its code", async () => {
  const server = await startAnswering(403, { server: "cloudflare" });
  const { http, engine } = startClient(server.url);
  expect(await http.get("/")).toMatchObject({ status: 403, error: null });
  expect(engine.errors.all()).toMatchObject([{ code: "HTTP_403", count: 1 }]);
});

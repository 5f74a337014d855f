import { describe, expect, test } from "vitest";

import { startServer } from "../../../http/test/servers.ts";
import { runScenario } from "./run-scenario.ts";

async function startShop() {
  return startServer((request, response) => {
    const fails = request.url?.startsWith("/cart") === true;
    response.writeHead(fails ? 503 : 200, {
      "content-type": "application/json",
      "set-cookie": "sid=abc12345678",
    });
    response.end(fails ? `{"error":"busy","token":"t-98765432"}` : "{}");
  });
}

describe("a visit to a page", () => {
  test("is kept with its exchanges, without secrets in their addresses", async () => {
    const { url } = await startShop();
    const { exemplars } = await runScenario(
      ({ http, page }) =>
        page("home", async () => {
          await http.get("/");
          await http.batch(["/a.css", "/b.js?token=s3cr3t-98765"]);
          await http.get("/cart");
        }),
      { baseUrl: url },
    );
    const [median, slow] = exemplars()?.pages ?? [];
    expect(median).toMatchObject({ page: "home", scenario: "readers", kind: "median", leftOut: 0 });
    expect(
      median?.exchanges.map((one) => [one.name, one.url.replace(url, ""), one.status, one.code]),
    ).toEqual([
      ["GET /", "/", 200, null],
      ["GET /a.css", "/a.css", 200, null],
      ["GET /b.js", "/b.js?token=***", 200, null],
      ["GET /cart", "/cart", 503, "HTTP_503"],
    ]);
    for (const { atMs, phases, bytesReceived } of median?.exchanges ?? []) {
      const endedMs = atMs + phases.blocked + phases.sending + phases.waiting + phases.receiving;
      expect(endedMs).toBeLessThanOrEqual((median?.durationMs ?? 0) + 0.01);
      expect(bytesReceived).toBeGreaterThan(0);
    }
    expect(slow).toEqual({ ...median, kind: "slow" });
  });

  test("is kept even if it throws; successes outside of pages are not", async () => {
    const { url } = await startShop();
    const { exemplars } = await runScenario(
      async ({ http, page, iteration }) => {
        await http.get("/");
        if (iteration.index === 0) return;
        await page("broken", async () => {
          await http.get("/");
          throw new Error("no");
        });
      },
      { baseUrl: url, iterations: 2 },
    );
    const { pages, errors } = exemplars() ?? {};
    expect(pages?.map(({ page, exchanges }) => [page, exchanges.length])).toEqual([
      ["broken", 1],
      ["broken", 1],
    ]);
    expect(errors).toEqual([]);
  });
});

describe("a failed exchange", () => {
  test("is kept with its headers and bodies, without the secrets in them", async () => {
    const { url } = await startShop();
    const { exemplars } = await runScenario(
      ({ http, page }) =>
        page("cart", () =>
          http.post("/cart?session=xyz-12345678", {
            json: { item: 1, password: "hunter2hunter2" },
            headers: { "x-api-key": "key-12345678", "x-note": "hello" },
            auth: { bearer: "b-12345678" },
          }),
        ),
      { baseUrl: url },
    );
    const [failed] = exemplars()?.errors ?? [];
    expect(failed).toMatchObject({
      code: "HTTP_503",
      name: "POST /cart",
      status: 503,
      scenario: "readers",
      page: "cart",
      url: `${url}/cart?session=***`,
      message: `POST ${url}/cart responded with status 503`,
      request: {
        headers: [
          ["x-api-key", "***"],
          ["x-note", "hello"],
          ["content-type", "application/json"],
          ["authorization", "Bearer ***"],
          ["user-agent", expect.stringMatching(/^bearhug\//)],
        ],
        body: { text: `{"item":1,"password":"***"}`, isWhole: true, bytes: 38 },
      },
      response: { body: { text: `{"error":"busy","token":"***"}`, isWhole: true, bytes: 37 } },
    });
    expect(failed?.response?.headers).toContainEqual(["set-cookie", "***"]);
  });

  test("without a response is kept without one", async () => {
    const { exemplars } = await runScenario(({ http }) => http.get("http://127.0.0.1:1/"), {
      baseUrl: "http://127.0.0.1:1",
    });
    expect(exemplars()?.errors).toMatchObject([
      {
        code: "CONNECTION_REFUSED",
        status: 0,
        protocol: "",
        page: null,
        response: null,
        request: { body: null },
      },
    ]);
  });

  test("is kept with the beginning of a body that is discarded", async () => {
    const { url } = await startShop();
    const { exemplars } = await runScenario(({ http }) => http.get("/cart"), {
      baseUrl: url,
      http: { discardBodies: true },
    });
    expect(exemplars()?.errors[0]?.response?.body).toMatchObject({ text: `{"error":"busy","token":"***"}` });
  });
});

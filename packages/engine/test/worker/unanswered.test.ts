import { StopSignal } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { startRawServer, startServer } from "../../../http/test/servers.ts";
import { iterationCounts, startScenario, type ScenarioOutcome } from "./run-scenario.ts";

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/** A scenario whose graceful stop ends 1.6 s after its start: a busy machine has 600 ms to send the first request. */
const short = { maxDuration: 700, gracefulStop: 900 };

function failedRate({ metric }: ScenarioOutcome): { trues: number; samples: number } {
  const rate = metric("http_req_failed");
  return rate?.type === "rate" ? { trues: rate.trues, samples: rate.samples } : { trues: 0, samples: 0 };
}

describe("when the graceful stop runs out by itself", () => {
  test("an unanswered request has failed, with its age as its time, and so has its iteration", async () => {
    const server = await startRawServer(() => {});
    const outcome = startScenario(({ http }) => http.get("/"), {
      baseUrl: server.url,
      vus: 2,
      iterations: 2,
      ...short,
    });
    await outcome.ended;
    expect(iterationCounts(outcome.accounting)).toEqual({
      started: 2,
      completed: 0,
      failed: 2,
      interrupted: 0,
    });
    expect(outcome.accounting.requests()).toMatchObject([
      { name: "GET /", started: 2, sent: 2, succeeded: 0, failed: 2, interrupted: 0 },
    ]);
    expect(failedRate(outcome)).toEqual({ trues: 2, samples: 2 });
    for (const metric of [
      "http_req_duration",
      "http_req_response_time",
      "iteration_duration",
      "iteration_response_time",
    ]) {
      const trend = outcome.metric(metric);
      expect(trend, metric).toMatchObject({ count: 2, censored: { count: 2 } });
      expect(trend?.type === "trend" ? trend.min : 0, metric).toBeGreaterThan(1_000_000);
    }
    expect(outcome.metric("http_req_waiting")).toMatchObject({ count: 2 });
    expect(outcome.metric("http_req_receiving")).toBeUndefined();
    expect(outcome.metric("iteration_failed")).toMatchObject({ trues: 2, samples: 2 });
    expect(outcome.errors()).toMatchObject([
      {
        code: "UNANSWERED",
        count: 2,
        message: `${server.url} had not responded when gracefulStop (900 ms) ran out`,
      },
    ]);
  });

  test("a request that is younger than a second is interrupted, and so is its iteration", async () => {
    const server = await startRawServer(() => {});
    const { ended, accounting, metric, errors } = startScenario(({ http }) => http.get("/"), {
      baseUrl: server.url,
      maxDuration: 200,
      gracefulStop: 200,
    });
    await ended;
    expect(iterationCounts(accounting)).toMatchObject({ failed: 0, interrupted: 1 });
    expect(accounting.requests()).toMatchObject([{ failed: 0, interrupted: 1 }]);
    expect(metric("http_reqs")).toBeUndefined();
    expect(errors()).toEqual([]);
  });

  test("a request that began within the graceful stop is interrupted", async () => {
    const server = await startRawServer(() => {});
    const { ended, accounting } = startScenario(
      async ({ http, sleep }) => {
        await sleep(500);
        await http.get("/");
      },
      { baseUrl: server.url, maxDuration: 200, gracefulStop: 1800 },
    );
    await ended;
    expect(iterationCounts(accounting)).toMatchObject({ failed: 0, interrupted: 1 });
    expect(accounting.requests()).toMatchObject([{ failed: 0, interrupted: 1 }]);
  });

  test("a request that has waited no longer than an answered one of its name is interrupted", async () => {
    const server = await startRawServer((socket, _head, count) => {
      if (count === 1) setTimeout(() => socket.write(ok), 1300);
    });
    const { ended, accounting } = startScenario(
      async ({ http }) => {
        await http.get("/slow");
        await http.get("/slow");
      },
      { baseUrl: server.url, maxDuration: 1400, gracefulStop: 1100 },
    );
    await ended;
    expect(accounting.requests()).toMatchObject([{ started: 2, succeeded: 1, failed: 0, interrupted: 1 }]);
    expect(iterationCounts(accounting)).toMatchObject({ failed: 0, interrupted: 1 });
  });

  test.each([
    ["is silent", 0],
    ["comes byte by byte", 300],
  ])("a response whose body %s has failed, and so has its iteration", async (_, everyMs) => {
    const server = await startRawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\nhalf");
      if (everyMs === 0) return;
      const drip = setInterval(() => socket.write("x"), everyMs);
      socket.on("close", () => {
        clearInterval(drip);
      });
    });
    const outcome = startScenario(({ http }) => http.get("/"), { baseUrl: server.url, ...short });
    await outcome.ended;
    expect(iterationCounts(outcome.accounting)).toMatchObject({ failed: 1, interrupted: 0 });
    expect(outcome.accounting.requests()).toMatchObject([{ failed: 1, interrupted: 0 }]);
    const [error] = outcome.errors();
    expect(error?.code).toBe("UNANSWERED");
    expect(error?.message).toMatch(
      /^the response from \S+ had stalled when gracefulStop \(900 ms\) ran out: \d+ bytes of the body had arrived$/,
    );
  });

  test.each([
    ["that comes at a good speed", "content-length: 99999999", "x".repeat(20_000)],
    ["of an event stream", "content-type: text/event-stream", "data: 1\n\n"],
  ])("a response with a body %s is interrupted", async (_, header, chunk) => {
    const server = await startRawServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`);
      const flow = setInterval(() => socket.write(chunk), 100);
      socket.on("close", () => {
        clearInterval(flow);
      });
    });
    const outcome = startScenario(({ http }) => http.get("/"), { baseUrl: server.url, ...short });
    await outcome.ended;
    expect(iterationCounts(outcome.accounting)).toMatchObject({ failed: 0, interrupted: 1 });
    expect(outcome.errors()).toEqual([]);
  });

  test("an incomplete head does not count as a response", async () => {
    const server = await startRawServer((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-"));
    const outcome = startScenario(({ http }) => http.get("/"), { baseUrl: server.url, ...short });
    await outcome.ended;
    expect(outcome.accounting.requests()).toMatchObject([{ failed: 1, interrupted: 0 }]);
    expect(outcome.metric("http_req_receiving")).toMatchObject({ count: 1 });
  });

  test("one unanswered request of a batch fails the iteration; those that were answered succeed", async () => {
    const server = await startRawServer((socket, head) => {
      if (head.startsWith("GET /fine")) socket.write(ok);
      if (head.startsWith("GET /half")) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf");
    });
    const { ended, accounting } = startScenario(({ http }) => http.batch(["/half", "/fine", "/hangs"]), {
      baseUrl: server.url,
      ...short,
    });
    await ended;
    expect(iterationCounts(accounting)).toMatchObject({ failed: 1, interrupted: 0 });
    expect(accounting.requests()).toMatchObject([
      { name: "GET /half", failed: 1 },
      { name: "GET /fine", succeeded: 1 },
      { name: "GET /hangs", failed: 1 },
    ]);
  });

  test("requests that wait for a connection fail without times, and nothing is sent for them", async () => {
    const server = await startRawServer(() => {});
    const outcome = startScenario(({ http }) => http.batch(Array.from({ length: 9 }, () => "/" as const)), {
      baseUrl: server.url,
      ...short,
    });
    await outcome.ended;
    expect(outcome.accounting.requests()).toMatchObject([{ started: 9, sent: 6, failed: 9, interrupted: 0 }]);
    expect(failedRate(outcome)).toEqual({ trues: 9, samples: 9 });
    expect(outcome.metric("http_req_duration")).toMatchObject({ count: 6 });
    expect(server.heads).toHaveLength(6);
    expect(outcome.errors()).toMatchObject([
      { count: 9, message: `${server.url} had not responded when gracefulStop (900 ms) ran out` },
    ]);
  });

  test("a redirect that was answered has succeeded; the hop that was not has failed", async () => {
    const server = await startServer((request, response) => {
      if (request.url !== "/start") return;
      response.writeHead(302, { location: "/there" });
      response.end();
    });
    const { ended, accounting } = startScenario(({ http }) => http.get("/start"), {
      baseUrl: server.url,
      ...short,
    });
    await ended;
    expect(accounting.requests()).toMatchObject([
      { name: "GET /start", succeeded: 1, failed: 0 },
      { name: "GET /there", succeeded: 0, failed: 1 },
    ]);
    expect(iterationCounts(accounting)).toMatchObject({ failed: 1 });
  });

  test("a test that catches the signal, or wraps it, cannot make its iteration complete", async () => {
    const server = await startRawServer(() => {});
    const caught: unknown[] = [];
    const { ended, accounting, errors } = startScenario(
      async ({ http, iteration }) => {
        try {
          await http.get("/");
        } catch (cause) {
          caught.push(cause);
          if (iteration.index === 1) throw new Error("the login failed", { cause });
        }
      },
      { baseUrl: server.url, vus: 2, iterations: 2, ...short },
    );
    await ended;
    expect(caught).toEqual([expect.any(StopSignal), expect.any(StopSignal)]);
    expect(iterationCounts(accounting)).toEqual({ started: 2, completed: 0, failed: 2, interrupted: 0 });
    expect(errors().map(({ code }) => code)).toEqual(["UNANSWERED"]);
  });

  test("an iteration that waits for an unanswered request and for a promise that never settles has failed", async () => {
    const server = await startRawServer(() => {});
    const { ended, accounting } = startScenario(
      ({ http }) => Promise.allSettled([http.get("/"), new Promise(() => {})]),
      { baseUrl: server.url, ...short },
    );
    await ended;
    expect(iterationCounts(accounting)).toMatchObject({ failed: 1, interrupted: 0 });
  });

  test("pages and groups around an unanswered request have lower bounds; others have no sample", async () => {
    const server = await startRawServer(() => {});
    const { ended, metric } = startScenario(
      ({ http, page, group, sleep }) =>
        Promise.allSettled([
          page("hangs", () => group("outer", () => group("inner", () => http.get("/")))),
          page("thinks", () => sleep("60s")),
          group("caught", () => http.get("/").catch(() => null)),
        ]),
      { baseUrl: server.url, ...short },
    );
    await ended;
    expect(metric("page_duration{page:hangs}")).toMatchObject({ count: 1, censored: { count: 1 } });
    expect(metric("page_duration{page:thinks}")).toBeUndefined();
    for (const name of ["outer", "outer::inner", "caught"])
      expect(metric(`group_duration{group:${name}}`), name).toMatchObject({
        count: 1,
        censored: { count: 1 },
      });
    expect(metric("pages")).toMatchObject({ total: 1 });
  });

  test("an unanswered request also fails if the run reached a limit and ended early", async () => {
    const server = await startRawServer(() => {});
    const { run, ended, accounting } = startScenario(({ http }) => http.get("/"), {
      baseUrl: server.url,
      gracefulStop: 1100,
    });
    while (server.heads.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    run.stop("enough");
    await ended;
    expect(accounting.requests()).toMatchObject([{ failed: 1, interrupted: 0 }]);
  });
});

describe("when the run is stopped early", () => {
  test.each(["graceful", "hard"] as const)("an unanswered request is interrupted (%s)", async (mode) => {
    const server = await startRawServer(() => {});
    const { run, ended, accounting, metric, errors } = startScenario(({ http }) => http.get("/"), {
      baseUrl: server.url,
      gracefulStop: 1200,
    });
    while (server.heads.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    run.stop(mode);
    await ended;
    expect(iterationCounts(accounting)).toMatchObject({ failed: 0, interrupted: 1 });
    expect(accounting.requests()).toMatchObject([{ failed: 0, interrupted: 1 }]);
    expect(metric("http_reqs")).toBeUndefined();
    expect(errors()).toEqual([]);
  });

  test("an unanswered request is also interrupted during the scenario's own graceful stop", async () => {
    const server = await startRawServer(() => {});
    const { run, ended, accounting } = startScenario(({ http }) => http.get("/"), {
      baseUrl: server.url,
      maxDuration: 200,
      gracefulStop: 1300,
    });
    await new Promise((resolve) => setTimeout(resolve, 600));
    run.stop("graceful");
    await ended;
    expect(accounting.requests()).toMatchObject([{ failed: 0, interrupted: 1 }]);
  });

  test("a request with the iteration's own signal is interrupted, and does not count as aborted by the test", async () => {
    const server = await startRawServer(() => {});
    const { run, ended, accounting, errors } = startScenario(
      ({ http, signal }) => http.get("/", { signal }),
      {
        baseUrl: server.url,
      },
    );
    while (server.heads.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    run.stop("hard");
    await ended;
    expect(accounting.requests()).toMatchObject([{ failed: 0, interrupted: 1 }]);
    expect(iterationCounts(accounting)).toMatchObject({ failed: 0, interrupted: 1 });
    expect(errors()).toEqual([]);
  });
});

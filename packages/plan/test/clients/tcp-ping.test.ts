import { createServer, type Server } from "node:net";

import { parseResult } from "@bearhug/sdk";
import { expect, onTestFinished, test } from "vitest";

import { findContradictions } from "../../../engine/src/outcome/contradictions/find-contradictions.ts";
import { renderSummary } from "../../../report/src/terminal/summary.ts";
import { runPings } from "./run-pings.ts";

test("a client of another protocol has metrics, thresholds, tags, accounting, intervals and a section of the summary", async () => {
  const result = await runPings("pings", await startPeer("pong\n"));
  expect(result.thresholds.map(({ metric, passed }) => [metric, passed])).toEqual([
    ["tcp_ping_duration", true],
    ["tcp_pings{page:home,user:eve}", true],
    ["tcp_ping_response_time", false],
  ]);
  expect(result.metrics).toMatchObject({
    tcp_pings: { type: "counter", values: { count: 6 } },
    tcp_ping_failed: { values: { passes: 0, fails: 6 } },
    tcp_ping_duration: { unit: "ms", values: { count: 6 } },
  });
  const place = { scenario: "pingers", page: "home", group: "first", user: "eve", name: "ping" };
  const pings = result.series.filter(({ metric }) => metric === "tcp_pings");
  expect(pings.map(({ tags }) => tags)).toContainEqual(place);
  expect(result.accounting.requests).toEqual([
    { name: "ping", client: "tcp", started: 6, sent: 6, succeeded: 6, failed: 0, interrupted: 0, lost: 0 },
  ]);
  expect(result.scenarios).toMatchObject([{ metrics: { tcp_pings: { values: { count: 6 } } } }]);
  const ofIntervals = result.intervals.map(({ clients }) => clients?.["tcp"]?.operations ?? 0);
  expect(ofIntervals.reduce((sum, operations) => sum + operations, 0)).toBe(6);
  expect(result.unmeasured).toEqual([]);
  const lines = renderSummary(result, { colors: false, unicode: true, width: 100 }).split("\n");
  const at = lines.indexOf("tcp");
  const section = lines.slice(at + 1, lines.indexOf("", at));
  expect(section.flatMap((line) => /^ *(tcp_\w+) +[\d.]+/.exec(line)?.[1] ?? [])).toEqual([
    "tcp_pings",
    "tcp_ping_failed",
    "tcp_ping_duration",
    "tcp_ping_response_time",
  ]);
  expect(lines).not.toContain("Own metrics");
  expect(parseResult(JSON.parse(JSON.stringify(result))).problems).toEqual([]);
  expect(findContradictions(result)).toEqual([]);
});

test("the hard stop ends a client's operations: those unanswered through the graceful stop have failed", async () => {
  const result = await runPings("hung-pings", await startPeer(null));
  expect(result.accounting.requests).toMatchObject([
    { name: "ping", client: "tcp", started: 2, sent: 2, succeeded: 0, failed: 2, interrupted: 0, lost: 0 },
  ]);
  expect(result.accounting.iterations).toMatchObject({ started: 2, failed: 2, interrupted: 0, lost: 0 });
  expect(result.errors).toMatchObject([{ code: "UNANSWERED", name: "ping", count: 2 }]);
  expect(result.messages.join()).toContain("no request succeeded");
});

test("a client's failures are data, with the code of the error", async () => {
  const port = await startPeer("pong\n", (server) => server.close());
  const result = await runPings("pings", port);
  expect(result.accounting.requests).toMatchObject([
    { started: 6, sent: 0, succeeded: 0, failed: 6, lost: 0 },
  ]);
  expect(result.accounting.iterations).toMatchObject({ started: 6, completed: 6 });
  expect(result.errors).toMatchObject([
    {
      code: "ECONNREFUSED",
      name: "ping",
      count: 6,
      message: expect.stringMatching(/^ping: connect ECONNREFUSED/) as string,
    },
  ]);
});

/** Starts a server that answers each line with `answer`, or never if that is null. Returns its port. */
function startPeer(answer: string | null, onListening: (server: Server) => void = () => {}): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => {
      if (answer !== null) socket.write(answer);
    });
  });
  onTestFinished(() => void server.close());
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      onListening(server);
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

import { expect, test } from "vitest";

import { expectBalanced, sum } from "./expect-balanced.ts";
import { runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

test("a counted run sends exactly as many requests as were asked for", async () => {
  const server = await startServer();
  const { exitCode, result } = await runForResult([`${server.url}/`, "-n", "1001", "-c", "7"]);
  expect(exitCode).toBe(0);
  expect(server.total()).toBe(1001);
  expect(server.connections()).toBe(7);
  expect(sum(result, "sent")).toBe(1001);
  expectBalanced(result);
});

test.for([1, 2, 3])("75 connections are 75 sockets at the server, with %i workers", async (workers) => {
  const server = await startServer((_request, response) => void setTimeout(() => response.end(), 100));
  const { result } = await runForResult([
    `${server.url}/`,
    "-c",
    "75",
    "-d",
    "2s",
    "--workers",
    String(workers),
  ]);
  expect(result.plan.workers).toBe(workers);
  expect(server.connections()).toBe(75);
  expect(sum(result, "sent")).toBe(server.total());
  expectBalanced(result);
});

test("a constant arrival rate schedules every arrival, and counts started and dropped ones", async () => {
  const server = await startServer();
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    steady: { executor: "constant-arrival-rate", rate: 500, duration: "4s", exec: ({ http }) => http.get("/") },
  },
});`);
  const { exitCode, result } = await runForResult(["run", file, "--workers", "2"]);
  const { scheduled, started, dropped } = result.accounting.iterations;
  expect(exitCode).toBe(0);
  expect(scheduled).toBe(2000);
  expect(started + dropped).toBe(2000);
  expect(server.total()).toBe(sum(result, "sent"));
  expectBalanced(result);
});

test("arrivals that find every virtual user busy are dropped, and counted", async () => {
  const server = await startServer((_request, response) => {
    setTimeout(() => response.end("late"), 500);
  });
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    steady: { executor: "constant-arrival-rate", rate: 100, duration: "2s", maxVUs: 10, exec: ({ http }) => http.get("/") },
  },
});`);
  const { result } = await runForResult(["run", file]);
  const { scheduled, dropped } = result.accounting.iterations;
  expect(scheduled).toBe(200);
  expect(dropped).toBeGreaterThan(100);
  expect(result.metrics["dropped_iterations"]).toMatchObject({ values: { count: dropped } });
  expect(server.connections()).toBe(10);
  expectBalanced(result);
});

test("iterations shared by many virtual users and workers are each run once", async () => {
  const server = await startServer();
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    once: {
      executor: "shared-iterations", vus: 20, iterations: 333,
      exec: ({ http, iteration }) => http.get("/?i=" + iteration.index, { name: "each" }),
    },
  },
});`);
  const { result } = await runForResult(["run", file, "--workers", "3"]);
  const expected = Array.from({ length: 333 }, (_, index) => `GET /?i=${index}`);
  expect([...server.counts.keys()].toSorted()).toEqual(expected.toSorted());
  expect(server.total()).toBe(333);
  expect(result.accounting.requests).toMatchObject([{ name: "each", sent: 333 }]);
});

test.for([
  { how: "its hard stop", exec: "" },
  { how: "abort()", exec: `if (iteration.index === 60) abort("enough");` },
])(
  "in a run that ends by $how, the server saw at least the answered and at most the sent requests",
  async ({ exec }) => {
    const server = await startServer((_request, response) => void setTimeout(() => response.end(), 150));
    const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    arrivals: {
      executor: "constant-arrival-rate", rate: 100, duration: "1s", gracefulStop: "0s",
      exec: async ({ http, iteration, abort }) => { ${exec} await http.get("/"); },
    },
  },
});`);
    const { result } = await runForResult(["run", file, "--workers", "2"]);
    expectBalanced(result);
    expect(sum(result, "interrupted")).toBeGreaterThan(0);
    expect(server.total()).toBeGreaterThanOrEqual(sum(result, "succeeded"));
    expect(server.total()).toBeLessThanOrEqual(sum(result, "sent"));
  },
);

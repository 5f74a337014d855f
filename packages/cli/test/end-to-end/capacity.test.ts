import { setTimeout as delay } from "node:timers/promises";

import { expect, test } from "vitest";

import { describeAttempts, measureUntilQuiet } from "../import/attempts.ts";
import {
  readResult,
  runBearhug,
  runForResult,
  startBearhug,
  temporaryFolder,
  type Reported,
} from "./run-bearhug.ts";
import { startServer, type TestServer } from "./test-server.ts";

/** Answers every other request with 429. */
async function startLimiter(): Promise<TestServer> {
  let count = 0;
  return startServer((_request, response) => {
    response.statusCode = count++ % 2 === 0 ? 200 : 429;
    response.end();
  });
}

test("a search names the rate limiter that limits the target, and fails if too little is reached", async () => {
  const { url } = await startLimiter();
  const loads = ["--min-rate", "40", "--at-least", "40", "--budget", "20s"];
  const search = ["capacity", url, ...loads, "--slo", "http_req_failed: rate<1%"];
  let ran: Reported | undefined;
  // On a busy machine the generator is late, and its trials say nothing about the target.
  const attempts = await measureUntilQuiet(
    async () => {
      ran = await runForResult(search);
      return ran.result.capacity?.answer === "undecided" ? ["undecided"] : [];
    },
    (problem) => problem === "undecided",
  );
  expect(ran?.exitCode, describeAttempts(attempts)).toBe(99);
  const capacity = ran?.result.capacity;
  expect(capacity).toMatchObject({ answer: "not-met-at-lowest", load: 40, low: null, high: 40 });
  expect(capacity?.limitedBy).toContain("a rate limiter: the target answers ");
  expect(ran?.stdout).toContain("the search did not confirm a capacity of at least 40/s");
  expect(ran?.stdout).toContain("the objectives are not met at 40.00/s, the lowest load tried");
  expect(ran?.stderr).toContain("bracket ? … 40.00/s");
});

test("too few virtual users are named as the limit, and not taken for the target's capacity", async () => {
  const { url } = await startServer((_request, response) => {
    setTimeout(() => response.end(), 100);
  });
  // 8 virtual users start 80 iterations/s at most.
  const loads = ["--min-rate", "20", "--max-rate", "160", "--at-least", "120", "--max-vus", "8"];
  const search = ["capacity", url, ...loads, "--slo", "http_req_response_time: p(99)<2s", "--budget", "20s"];
  const { exitCode, result, stdout } = await runForResult(search);
  expect(exitCode).toBe(99);
  expect(result.capacity?.answer).not.toBe("met-at-highest");
  expect(result.capacity?.high).toBeLessThanOrEqual(160);
  expect(result.capacity?.limitedBy).toContain("virtual users: all of them were busy");
  expect(stdout).toContain("limited by virtual users: all of them were busy");
});

test("virtual users that hang are no load that the target serves, however fast the others are", async () => {
  let connections = 0;
  const hanging = new WeakMap<object, boolean>();
  const { url } = await startServer(({ socket }, response) => {
    if (!hanging.has(socket)) hanging.set(socket, connections++ % 2 === 1);
    if (hanging.get(socket) !== true) setTimeout(() => response.end(), 2);
  });
  const loads = [
    "--search",
    "vus",
    "--min-rate",
    "2",
    "--max-rate",
    "4",
    "--at-least",
    "2",
    "--budget",
    "30s",
  ];
  const search = ["capacity", url, ...loads, "--slo", "http_req_response_time: p(95)<1s"];
  const { exitCode, result, stdout } = await runForResult(search);
  expect(exitCode, stdout).toBe(99);
  expect(result.capacity?.trials.map(({ verdict }) => verdict)).not.toContain("PASS");
  expect(result.capacity).toMatchObject({ answer: "not-met-at-lowest", high: 2 });
  expect(result.capacity?.limitedBy).toMatch(/^virtual users that hang: they lost \d/);
});

test("every unusable value is reported", async () => {
  const { exitCode, stderr } = await runBearhug([
    "capacity",
    "http://127.0.0.1:9/",
    "--slo",
    "http_req_failed: rate>1%",
    "--budget",
    "1s",
    "--precision",
    "50%",
    "--search",
    "users",
    "--min-rate",
    "10",
    "--max-rate",
    "5",
  ]);
  expect(exitCode).toBe(104);
  expect(stderr).toContain('--slo "http_req_failed: rate>1%": an objective must be an upper bound');
  expect(stderr).toContain("--budget 1s: must be at least 20s");
  expect(stderr).toContain("--precision 50%: must be a share from 0.5% to 20%.");
  expect(stderr).toContain("--search users: must be rate or vus.");
  expect(stderr).toContain("--max-rate: must be higher than --min-rate (10).");
});

test("Ctrl+C leaves a document of the search so far", async () => {
  const target = await startServer();
  const path = `${temporaryFolder()}/capacity.json`;
  const run = startBearhug([
    "capacity",
    target.url,
    "--slo",
    "http_req_response_time: p(99)<1s",
    "--out",
    `json=${path}`,
  ]);
  while (target.total() < 5) await delay(10);
  run.child.kill("SIGINT");
  const ended = await run;
  expect(ended.exitCode).toBe(105);
  expect(readResult(path, ended)).toMatchObject({
    verdict: "interrupted",
    capacity: { answer: "undecided", load: null, trials: [] },
  });
});

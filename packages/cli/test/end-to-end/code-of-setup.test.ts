import { describe, expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { runBearhug, runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

/** A test whose `setup` has this code. The load goes on for two seconds. */
function testOf(baseUrl: string, setup: string, rest = ""): string {
  return writeTest(`import { once } from "node:events";
import { createServer } from "node:http";
import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${baseUrl}",
  allowHosts: ["127.0.0.1"],
  setup: async ({ http, signal, log }) => { ${setup} },
  scenarios: {
    s: {
      executor: "constant-vus", vus: 1, duration: "2s",
      exec: async ({ http, data, sleep }) => { await http.get(data?.url ?? "/"); await sleep("50ms"); },
    },
  },
  ${rest}
});`);
}

const teardown = `teardown: async ({ log }) => { log("teardown ran"); },`;

test.each([[""], [teardown]])("a server of setup answers until the load is over, with %j", async (rest) => {
  const { url } = await startServer();
  const setup = `const server = createServer((_, response) => response.end()).listen(0, "127.0.0.1");
    signal.addEventListener("abort", () => server.close());
    await once(server, "listening");
    return { url: "http://127.0.0.1:" + server.address().port };`;
  const { exitCode, result, stderr } = await runForResult(["run", testOf(url, setup, rest)]);
  expect(exitCode, stderr).toBe(0);
  expect(result.metrics["http_req_failed"]).toMatchObject({ values: { rate: 0 } });
  expectBalanced(result);
});

const faults = [
  {
    what: "throws",
    code: `throw new Error("consumer broke");`,
    error: /Error: consumer broke at /,
  },
  {
    what: "rejects",
    code: `void Promise.reject(new Error("consumer broke"));`,
    error: /Error: consumer broke at /,
  },
  {
    what: "calls process.exit",
    code: `process.exit(0);`,
    error:
      /setup's thread was ended by process\.exit\(0\) at |process\.exit\(\) was called: the worker of this code is lost\. at /,
  },
  {
    what: "calls process.exit and catches the error that it throws in this thread",
    code: `try { process.exit(0); } catch { log("caught"); }`,
    error:
      /setup's thread was ended by process\.exit\(0\) at |process\.exit\(\) was called: the worker of this code is lost\. at /,
  },
];

describe.each(["2", "0"])("with --workers %s, a timer of setup", (workers) => {
  test.each(
    faults.flatMap((fault) => [
      { ...fault, when: "just after setup", delayMs: 1 },
      { ...fault, when: "during the load", delayMs: 700 },
    ]),
  )("that $what $when fails the run, at its line", async ({ code, delayMs, error }) => {
    const { url } = await startServer();
    const setup = `setTimeout(() => { ${code} }, ${delayMs});`;
    const { exitCode, result } = await runForResult([
      "run",
      testOf(url, setup),
      "--duration",
      "1s",
      "--workers",
      workers,
    ]);
    expect(exitCode).toBe(99);
    const [message = ""] = result.messages;
    expect(message).toContain("an error was thrown outside of all iterations");
    expect(message).toMatch(error);
    expect(message).toMatch(/your-test\.ts:7:\d+/);
    expect(result.accounting.iterations).toMatchObject({ failed: 0, lost: 0 });
    expectBalanced(result);
  });

  test("that throws during teardown fails the run, but not teardown", async () => {
    const { url } = await startServer();
    const setup = `setInterval(() => { if (globalThis.inTeardown) { globalThis.inTeardown = false; throw new Error("consumer broke"); } }, 5);`;
    const rest = `teardown: async ({ log }) => {
      globalThis.inTeardown = true;
      await new Promise((resolve) => setTimeout(resolve, 100));
      log("teardown ran");
    },`;
    const { exitCode, result, stderr } = await runForResult([
      "run",
      testOf(url, setup, rest),
      "--duration",
      "300ms",
      "--workers",
      workers,
    ]);
    expect(exitCode, stderr).toBe(99);
    expect(stderr).toContain("teardown ran");
    expect(result.messages.join()).toContain("an error was thrown outside of all iterations");
    expectBalanced(result);
  });

  test("of teardown that throws fails teardown, at its line", async () => {
    const { url } = await startServer();
    const rest = `teardown: async () => {
      setTimeout(() => { throw new Error("teardown broke"); }, 1);
      await new Promise((resolve) => setTimeout(resolve, 100));
    },`;
    const { exitCode, result } = await runForResult([
      "run",
      testOf(url, "", rest),
      "--duration",
      "300ms",
      "--workers",
      workers,
    ]);
    expect(exitCode).toBe(107);
    expect(result.messages.join()).toMatch(
      /teardown failed at .*your-test\.ts:15:\d+: Error: teardown broke/,
    );
  });
});

test("a timer of setup that throws just after setup fails a try", async () => {
  const { url } = await startServer();
  const setup = `setTimeout(() => { throw new Error("consumer broke"); }, 1);`;
  const { exitCode, stdout } = await runBearhug(["try", testOf(url, setup)]);
  expect(exitCode, stdout).toBe(99);
  expect(stdout).toContain("Error: consumer broke at ");
});

test("an interval and a server of setup do not hold up the end, and what is still pending is finished", async () => {
  const { url } = await startServer();
  const setup = `createServer(() => {}).listen(0, "127.0.0.1");
    setInterval(() => {}, 20);
    process.once("beforeExit", () => console.log("nothing was left to do"));`;
  const rest = `summary: () => { setTimeout(() => console.log("finished late"), 100); return "the summary"; },`;
  const { exitCode, stderr } = await runForResult(["run", testOf(url, setup, rest), "--duration", "300ms"]);
  expect(exitCode, stderr).toBe(0);
  expect(stderr).toMatch(/finished late[^]*nothing was left to do/);
});

test("after an error in code of setup, teardown and the summary still run", async () => {
  const { url } = await startServer();
  const setup = `setTimeout(() => { throw new Error("consumer broke"); }, 300);`;
  const rest = `${teardown} summary: ({ messages }) => "summary of " + messages.length,`;
  const { exitCode, result, stdout, stderr } = await runForResult(["run", testOf(url, setup, rest)]);
  expect(exitCode, stderr).toBe(99);
  expect(stderr).toContain("teardown ran");
  expect(stdout).toContain("summary of 1");
  expect(result.messages).toHaveLength(1);
});

test("the http of setup sends requests until the end of the run, counted with those of setup", async () => {
  const server = await startServer();
  const setup = `await http.get("/login"); setInterval(() => http.get("/refresh"), 200);`;
  const { exitCode, result, stderr } = await runForResult(["run", testOf(server.url, setup, teardown)]);
  expect(exitCode, stderr).toBe(0);
  expect(server.counts.get("GET /refresh")).toBeGreaterThan(2);
  const refreshes = result.accounting.setup.requests.find(({ name }) => name === "GET /refresh");
  expect(refreshes?.succeeded).toBeGreaterThan(2);
  expectBalanced(result);
});

test.each(["2", "0"])(
  "with --workers %s, a request of setup that the end of the run cuts off is interrupted",
  async (workers) => {
    const server = await startServer(({ url }, response) => {
      if (url !== "/events") response.end();
    });
    const setup = `setTimeout(() => http.get("/events"), 1);`;
    const { exitCode, result } = await runForResult([
      "run",
      testOf(server.url, setup),
      "--duration",
      "300ms",
      "--workers",
      workers,
    ]);
    expect(exitCode).toBe(0);
    expect(result.accounting.setup.requests).toMatchObject([
      { name: "GET /events", started: 1, interrupted: 1, lost: 0 },
    ]);
    expectBalanced(result);
  },
);

test("a request of setup is lost if its code ends the thread", async () => {
  const server = await startServer(({ url }, response) => {
    if (url !== "/events") response.end();
  });
  const setup = `setTimeout(() => http.get("/events"), 1); setTimeout(() => process.exit(0), 100);`;
  const { exitCode, result } = await runForResult(["run", testOf(server.url, setup), "--duration", "1s"]);
  expect(exitCode).toBe(99);
  expect(result.accounting.setup.requests).toMatchObject([{ started: 1, interrupted: 0, lost: 1 }]);
});

test("the signal of setup aborts if setup is no longer waited for", async () => {
  const { url } = await startServer();
  const setup = `signal.addEventListener("abort", () => console.log("aborted")); await new Promise(() => {});`;
  const rest = `setupTimeout: "1s",`;
  const { exitCode, stderr } = await runForResult(["run", testOf(url, setup, rest)]);
  expect(exitCode).toBe(107);
  expect(stderr).toContain("aborted");
});

test("if setup takes too long, a request that it did not await does not cost the summary", async () => {
  const server = await startServer((request, response) => {
    if (request.url !== "/slow") response.end();
  });
  const setup = `void http.get("/slow"); await new Promise(() => {});`;
  const rest = `setupTimeout: "500ms", summary: () => "the summary",`;
  const { exitCode, stdout, stderr } = await runForResult(["run", testOf(server.url, setup, rest)]);
  expect(exitCode, stderr).toBe(107);
  expect(stdout).toContain("the summary");
});

test.each(["2", "0"])(
  "with --workers %s, a timer of a setup that failed does not cost the summary",
  async (workers) => {
    const { url } = await startServer();
    const setup = `setTimeout(() => { throw new Error("consumer broke"); }, 20); throw new Error("no database");`;
    const rest = `summary: async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return "the summary";
  },`;
    const { exitCode, result, stdout } = await runForResult([
      "run",
      testOf(url, setup, rest),
      "--workers",
      workers,
    ]);
    expect(exitCode).toBe(107);
    expect(stdout).toContain("the summary");
    expect(result.messages.join()).toContain("no database");
  },
);

test("a summary that throws while teardown still runs on is reported at once", async () => {
  const { url } = await startServer();
  const rest = `teardown: async () => {
    setTimeout(() => { throw new Error("teardown broke"); }, 20);
    await new Promise((resolve) => setTimeout(resolve, 300));
  },
  summary: async () => {
    await new Promise((resolve) => setTimeout(resolve, 600));
    setTimeout(() => { throw new Error("the summary broke"); }, 10);
    await new Promise(() => {});
  },`;
  const { exitCode, result, stderr } = await runForResult(["run", testOf(url, "", rest)]);
  expect(exitCode).toBe(107);
  expect(result.messages.join()).toContain("teardown broke");
  expect(stderr).toContain("report not written: Error: the summary broke");
});

import { describe, expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { runForResult, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const each = 6;

interface Slip {
  readonly kind: string;
  readonly exec: string;
  readonly code: string;
  /** The number of errors in each iteration. @default 1 */
  readonly errors?: number;
  /** @default true */
  readonly fails?: boolean;
}

const slips: readonly Slip[] = [
  {
    kind: "a page that throws",
    exec: `async ({ http, page }) => { await http.get("/"); void page("p", async () => { await http.get("/"); throw new Error("slip"); }); }`,
    code: "UNHANDLED_REJECTION",
  },
  {
    kind: "a group that throws after a pause",
    exec: `async ({ http, group, sleep }) => { await http.get("/"); void group("g", async () => { await sleep("20ms"); throw new Error("slip"); }); }`,
    code: "UNHANDLED_REJECTION",
  },
  {
    kind: "then",
    exec: `async ({ http }) => { void http.get("/").then(() => { throw new Error("slip"); }); }`,
    code: "UNHANDLED_REJECTION",
  },
  {
    kind: "forEach with an async function",
    exec: `async ({ http }) => { [1, 2].forEach(async () => { await http.get("/"); throw new Error("slip"); }); }`,
    code: "UNHANDLED_REJECTION",
    errors: 2,
  },
  {
    kind: "a promise that is rejected as the iteration ends",
    exec: `async ({ http }) => { await http.get("/"); void Promise.reject(new Error("slip")); }`,
    code: "UNHANDLED_REJECTION",
  },
  {
    kind: "a flow that goes on in the next iteration",
    exec: `async ({ http }) => { await http.get("/"); void (async () => { await new Promise((resolve) => setTimeout(resolve, 30)); throw new Error("slip"); })(); }`,
    code: "UNHANDLED_REJECTION",
  },
  {
    kind: "a timer that throws after its iteration",
    exec: `async ({ http }) => { await http.get("/"); setTimeout(() => { throw new Error("slip"); }, 30); }`,
    code: "UNCAUGHT_EXCEPTION",
  },
  {
    kind: "sleep",
    exec: `async ({ http, sleep }) => { await http.get("/"); sleep("1s"); }`,
    code: "PAUSE_NOT_AWAITED",
  },
  {
    kind: "think",
    exec: `async ({ http, think }) => { think("1s", "2s"); await http.get("/"); }`,
    code: "PAUSE_NOT_AWAITED",
  },
  {
    kind: "a page that holds",
    exec: `async ({ http, page }) => { page("quiet", () => http.get("/")); }`,
    code: "PAGE_NOT_AWAITED",
    fails: false,
  },
];

/** Every way in which a test may await a pause, and one in which it no longer waits for it. */
const sound = [
  `async ({ http, sleep }) => { const pause = sleep("1ms"); await http.get("/"); await pause; }`,
  `async ({ http, think }) => { await http.get("/"); return think("1ms", "2ms"); }`,
  `({ http, sleep }) => http.get("/").then(() => sleep("1ms"))`,
  `async ({ http, sleep, page }) => { await Promise.all([page("p", () => http.get("/")), sleep("1ms")]); }`,
  `async ({ http, sleep }) => { await Promise.race([http.get("/"), sleep("20s").then(() => { throw new Error("too slow"); })]); }`,
  `async ({ http, page }) => { try { await page("p", () => { throw new Error("expected"); }); } catch { await http.get("/"); } }`,
];

describe.each([2, 0])("with --workers %i", (workers) => {
  test("an error that nothing awaited fails the iteration that caused it, with its line, however late it comes", async () => {
    const server = await startServer();
    const scenarios = [
      ...slips.map(({ exec }, index) => `slip${index}: { ...load, exec: ${exec} }`),
      ...sound.map((exec, index) => `sound${index}: { ...load, exec: ${exec} }`),
      // Keeps both workers running until all errors have come.
      `rest: { ...load, executor: "per-vu-iterations", iterations: 1, exec: async ({ http, sleep }) => { await sleep("1s"); await http.get("/"); } }`,
    ];
    const source = `import { defineTest } from "@bearhug/sdk";
const load = { executor: "shared-iterations", vus: 2, iterations: ${each} } as const;
export default defineTest({ baseUrl: "${server.url}", thresholds: { iteration_failed: ["rate<10%"] }, scenarios: {
${scenarios.join(",\n")}
} });`;
    const { exitCode, stdout, result } = await runForResult([
      "run",
      writeTest(source),
      "--workers",
      String(workers),
    ]);
    expect(exitCode, stdout).toBe(99);
    expectBalanced(result);
    const failing = slips.filter(({ fails = true }) => fails).length * each;
    expect(result.accounting.iterations).toMatchObject({
      completed: scenarios.length * each - each + 2 - failing,
      failed: failing,
      interrupted: 0,
    });
    for (const [index, { kind, code, errors = 1 }] of slips.entries()) {
      const found = result.errors.filter(
        ({ source: at, code: its }) => at?.line === 4 + index && its === code,
      );
      expect(found, kind).toMatchObject([{ name: `slip${index}`, count: each * errors }]);
    }
    expect(result.errors.filter(({ name }) => name.startsWith("sound"))).toEqual([]);
    for (const name of slips.flatMap(({ fails = true }, index) => (fails ? [`slip${index}`] : [])))
      expect(result.messages.join("\n")).toContain(`all ${each} iterations of ${name} failed; first error: `);
    expect(result.thresholds).toMatchObject([{ passed: false }]);
  });

  test("the run fails if no iteration can be found that caused the error", async () => {
    const server = await startServer();
    const source = `import { defineTest } from "@bearhug/sdk";
const timer = setInterval(() => { clearInterval(timer); throw new Error("of the module"); }, 300);
export default defineTest({ baseUrl: "${server.url}", thresholds: { iteration_failed: ["rate<1%"] }, scenarios: {
  s: { executor: "per-vu-iterations", vus: 1, iterations: 1, exec: async ({ http, sleep }) => { await http.get("/"); await sleep("900ms"); } },
} });`;
    const { exitCode, stdout, result } = await runForResult([
      "run",
      writeTest(source),
      "--workers",
      String(workers),
    ]);
    expect(exitCode, stdout).toBe(99);
    expect(result.messages[0]).toMatch(
      /^an error was thrown outside of all iterations, where nothing awaited or caught it; first error: Error: of the module at .*your-test\.ts:2:\d+\n/,
    );
    expect(result.accounting.iterations).toMatchObject({ completed: 1, failed: 0 });
    expectBalanced(result);
  });
});

test("a module that throws from the start ends no worker, however long the load takes to begin and to end", async () => {
  const server = await startServer();
  const source = `import { defineTest } from "@bearhug/sdk";
setInterval(() => { throw new Error("of the module"); }, 1).unref();
export default defineTest({ baseUrl: "${server.url}", scenarios: {
  s: { executor: "per-vu-iterations", vus: 2, iterations: 1, exec: async ({ http, sleep }) => { await http.get("/"); await sleep("200ms"); } },
} });`;
  const { exitCode, stdout, result } = await runForResult(["run", writeTest(source), "--workers", "2"]);
  expect(exitCode, stdout).toBe(99);
  expect(result.messages[0]).toMatch(
    /^\d+ errors were thrown outside of all iterations, where nothing awaited or caught them; first error: Error: of the module at .*your-test\.ts:2:\d+\n/,
  );
  expect(result.accounting.iterations).toMatchObject({ completed: 2, failed: 0 });
  expectBalanced(result);
});

test.each([
  ["a timer", `setTimeout(() => { throw new Error("no database"); }, 50)`],
  ["a promise", `void Promise.reject(new Error("no database"))`],
])("a module that waits in vain fails to load, with the error of %s as the reason", async (_, throws) => {
  const server = await startServer();
  const source = `import { defineTest } from "@bearhug/sdk";
${throws};
await new Promise((resolve) => setTimeout(resolve, 30_000));
export default defineTest({ baseUrl: "${server.url}", scenarios: {
  s: { executor: "shared-iterations", vus: 1, iterations: 1, exec: async ({ http }) => { await http.get("/"); } },
} });`;
  const { exitCode, stdout } = await runForResult(["run", writeTest(source)]);
  expect([exitCode, stdout]).toEqual([
    107,
    expect.stringMatching(/^✗ errored: the test could not be loaded: no database\n/),
  ]);
});

test("an iteration's timer that the end of the run cuts off is noted, with its line", async () => {
  const server = await startServer();
  const lost = `async ({ http }) => { await http.get("/"); setTimeout(() => { void http.get("/late"); }, 60_000); }`;
  const harmless = [
    `await Promise.race([http.get("/"), new Promise((_, reject) => setTimeout(() => reject(new Error("too slow")), 60_000))]);`,
    `await Promise.race([http.get("/"), new Promise((_, reject) => setTimeout(() => reject(new Error("the page of the http check was too slow")), 60_000))]);`,
    `const timer = setTimeout(() => { throw new Error("too slow"); }, 60_000); await http.get("/"); clearTimeout(timer);`,
    `setTimeout(() => { throw new Error("never mind"); }, 60_000).unref(); await http.get("/");`,
    `let late = 0; setTimeout(() => { late = 1; if (late === 2) throw new Error("no"); }, 1); await http.get("/"); await sleep("20ms");`,
    `await promisify(setTimeout)(1); await http.get("/");`,
  ].map((code, index) => `fine${index}: { ...load, exec: async ({ http, sleep }) => { ${code} } },`);
  const source = `import { promisify } from "node:util"; import { defineTest } from "@bearhug/sdk";
const load = { executor: "shared-iterations", vus: 1, iterations: 3 } as const;
export default defineTest({ baseUrl: "${server.url}", scenarios: {
lost: { ...load, exec: ${lost} },
${harmless.join("\n")}
} });`;
  for (const workers of ["1", "0"]) {
    const { exitCode, stdout, result } = await runForResult(["run", writeTest(source), "--workers", workers]);
    expect(exitCode, stdout).toBe(0);
    expect(result.errors).toMatchObject([
      { code: "TIMER_NOT_FIRED", name: "lost", count: 3, source: { line: 4 } },
    ]);
    expect(result.notes).toEqual([
      expect.stringMatching(
        /^3 timers of lost had not fired when the run ended, so their code did not run, the first at .*your-test\.ts:4:\d+$/,
      ),
    ]);
    expectBalanced(result);
  }
});

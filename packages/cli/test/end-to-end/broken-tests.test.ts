import { describe, expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { runForResult, runBearhug, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const testOf = (
  url: string,
  scenarios: string,
  rest = "",
): string => `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${url}",
  ${rest}
  scenarios: {
    ${scenarios}
  },
});`;

const closed = `executor: "shared-iterations", iterations: 8`;

describe("try of a test that cannot be used", () => {
  test.for([
    ["has no default export", `console.log("loaded");`, 104, "The file has no default export."],
    ["throws as it is loaded", `throw new Error("no luck");`, 107, "the test could not be loaded at "],
    ["ends its process", `process.exit(0); export default 1;`, 107, "ended its worker with process.exit(0)"],
    [
      "plans no user",
      testOf("http://127.0.0.1:1", "s: { executor: 'constant-vus', vus: 0, duration: '1s', exec: () => {} }"),
      104,
      "scenarios.s.vus must be 1 or more",
    ],
  ] as const)("says what is wrong: it %s", async ([, source, code, words]) => {
    const { exitCode, stdout, stderr } = await runBearhug(["try", writeTest(source)]);
    expect(exitCode, stderr).toBe(code);
    expect(stdout + stderr).toContain(words);
  });
});

test.for([
  ["run", 107],
  ["check", 104],
  ["list", 104],
] as const)(
  "%s of a module that awaits what never settles says so, without Node's warning",
  async ([command, code]) => {
    const source = `await new Promise(() => undefined);\n${testOf("http://127.0.0.1:1", "")}`;
    const { exitCode, stdout, stderr } = await runBearhug([command, writeTest(source)]);
    expect(exitCode, stderr).toBe(code);
    const said = (stdout + stderr).replaceAll(/\s+/g, " ");
    expect(said).toContain(
      "be loaded: it never finished loading, because a top-level await in it did not settle",
    );
    expect(said).not.toMatch(/Warning|process\.exit/);
  },
);

test("a module that awaits what never settles, in its load workers alone, says so", async () => {
  const server = await startServer();
  const source = `import { workerData } from "node:worker_threads";
if (workerData.role === "load") await new Promise(() => undefined);
${testOf(server.url, `s: { ${closed}, exec: ({ http }) => http.get("/") }`, "setup: () => undefined,")}`;
  const { exitCode, stderr, result } = await runForResult(["run", writeTest(source), "--workers", "1"]);
  expect(exitCode, stderr).toBe(107);
  expect(result.messages[0]).toBe(
    "the test could not be loaded: it never finished loading, because a top-level await in it did not settle",
  );
  expect(stderr).not.toContain("Warning");
  expect(server.total()).toBe(0);
});

describe("a test whose every iteration fails", () => {
  test.for([
    ["closed", closed],
    ["open", `executor: "constant-arrival-rate", rate: 10, duration: "500ms"`],
  ])("fails without a threshold, and shows the first exception and its line: %s model", async ([, load]) => {
    const server = await startServer();
    const source = testOf(
      server.url,
      `s: { ${load}, exec: ({ http }) => http.post("/", { josn: {} } as never) }`,
    );
    const { exitCode, result, stdout } = await runForResult(["run", writeTest(source)]);
    expect(exitCode, stdout).toBe(99);
    const [message = ""] = result.messages;
    expect(message).toMatch(
      /^all \d+ iterations of s failed; first error: .*josn.* at .*your-test\.ts:6:\d+\n/,
    );
    expect(message).toContain(`> 6 |`);
    expect(stdout.split("Errors")[0]).toMatch(/^ +> 6 \| +s: \{ executor/m);
    expect(server.total()).toBe(0);
    expectBalanced(result);
  });

  test("fails for one scenario of several", async () => {
    const server = await startServer();
    const fine = `fine: { ${closed}, exec: ({ http }) => http.get("/") }`;
    const broken = `broken: { ${closed}, exec: ({ think }) => think("1" as never) }`;
    const file = writeTest(testOf(server.url, `${fine},\n    ${broken}`));
    const { exitCode, result, stdout } = await runForResult(["run", file]);
    expect(exitCode, stdout).toBe(99);
    expect(result.messages).toMatchObject([expect.stringMatching(/^all 8 iterations of broken failed/)]);
  });
});

test("a run that passes although some iterations throw says how many, and where", async () => {
  const server = await startServer();
  const exec = `async ({ http, iteration }) => { await http.get("/"); if (iteration.index < 3) throw new Error("sold out"); }`;
  const thresholds = `thresholds: { iteration_failed: ["rate<50%"] },`;
  const file = writeTest(testOf(server.url, `s: { ${closed}, exec: ${exec} }`, thresholds));
  const { exitCode, result, stdout } = await runForResult(["run", file]);
  expect(exitCode, stdout).toBe(0);
  expect(result.messages).toEqual([]);
  expect(result.notes).toMatchObject([
    expect.stringMatching(/^3 of 8 iterations threw; first error: Error: sold out at .*your-test\.ts:6:\d+$/),
  ]);
  expect(stdout).toMatch(/^✓ passed: 3 of 8 iterations threw/);
  expect(stdout).toContain("· the threshold held");
});

describe("a scenario that makes no request", () => {
  const silent = `silent: { ${closed}, exec: () => undefined }`;
  const fine = `fine: { ${closed}, exec: ({ http }) => http.get("/") }`;

  test("fails the run, alone and beside others", async () => {
    const server = await startServer();
    for (const scenarios of [silent, `${fine}, ${silent}`]) {
      const { exitCode, result, stdout } = await runForResult([
        "run",
        writeTest(testOf(server.url, scenarios)),
      ]);
      expect(exitCode, stdout).toBe(99);
      expect(result.messages).toEqual([
        expect.stringMatching(
          /^8 iterations of silent at .*your-test\.ts:6:\d+ made no requests \(if that is intended, set expectNoRequests: true\)$/,
        ),
      ]);
    }
  });

  test("passes if the test or the scenario expects that, unless the scenario itself says otherwise", async () => {
    const server = await startServer();
    const bySelf = silent.replace("exec", "expectNoRequests: true, exec");
    const undone = `undone: { ${closed}, expectNoRequests: false, exec: () => undefined }`;
    const run = async (scenarios: string, rest = ""): Promise<number | null> =>
      (await runBearhug(["run", writeTest(testOf(server.url, scenarios, rest))])).exitCode;
    expect(await run(bySelf)).toBe(0);
    expect(await run(silent, "expectNoRequests: true,")).toBe(0);
    expect(await run(`${silent}, ${undone}`, "expectNoRequests: true,")).toBe(99);
  });

  test("may be expected only by true or false", async () => {
    const wrong = silent.replace("exec", `expectNoRequests: "yes", exec`);
    const file = writeTest(
      `${testOf("http://127.0.0.1:1", wrong, "expectNoRequests: 1,").slice(0, -2)} as never);`,
    );
    const { exitCode, stderr } = await runBearhug(["run", file]);
    expect(exitCode).toBe(104);
    expect(stderr).toMatch(/^bearhug: expectNoRequests must be/m);
    expect(stderr).toContain("scenarios.silent.expectNoRequests must be");
  });
});

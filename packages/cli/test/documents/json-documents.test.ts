import { mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { simulateResult } from "../../../metrics/test/comparison/simulated-results.ts";
import { runBearhug, startBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { startServer } from "../end-to-end/test-server.ts";
import { documentErrors, schemaErrors } from "../published-schema.ts";

/** Makes a project with one test of a site. */
function projectOf(url: string, test = shopTest(url)): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "load"));
  writeFileSync(join(folder, "load/shop.load.ts"), test);
  return folder;
}

function shopTest(url: string): string {
  return `import { defineTest, extract } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${url}",
  env: { SHOP_PASSWORD: { secret: true } },
  scenarios: {
    buy: { executor: "constant-vus", vus: 5, duration: "2s", exec: async ({ http, page, check, env, log }) => {
      await page("login", async () => {
        const login = await http.post("/login", { json: { password: env.SHOP_PASSWORD } });
        log("logged in");
        extract(login, { between: ["h", "lo"] });
        check(login, { "is 200": ({ status }) => status === 200, "is JSON": ({ status }) => status === 0 });
      });
    } },
  },
  thresholds: { http_req_duration: ["p(95)<300ms"] },
});
`;
}

/** Parses stdout as one document and validates it against its published schema. */
function readDocument(stdout: string): Record<string, unknown> & { readonly schema: string } {
  const document = JSON.parse(stdout) as ReturnType<typeof readDocument>;
  expect(documentErrors(document)).toEqual([]);
  return document;
}

test("check --json describes what a run would do", async () => {
  const { exitCode, stdout } = await runBearhug(
    ["check", "--json", "--no-types"],
    projectOf("http://a.test"),
  );
  expect(exitCode).toBe(0);
  expect(readDocument(stdout)).toMatchObject({
    schema: "bearhug/check@1",
    exitCode: 0,
    tests: [
      {
        file: "load/shop.load.ts",
        baseUrl: "http://a.test",
        vus: 5,
        loadMs: 2000,
        durationMs: 32_000,
        scenarios: [{ name: "buy", executor: "constant-vus", load: "5 VUs for 2 s", vus: 5 }],
        thresholds: [{ metric: "http_req_duration", expression: "p(95)<300ms", abortOnFail: false }],
      },
    ],
    problems: [],
    warnings: [{ code: "MISSING_VARIABLE", file: "load/shop.load.ts", line: 4 }],
  });
});

test("check --json gives each problem a code and a place", async () => {
  const wrong = shopTest("http://a.test")
    .replace("vus: 5", "vus: 0")
    .concat('const count: number = "three";\n');
  const folder = projectOf("", wrong);
  const typescript = join(import.meta.dirname, "../../../../node_modules/typescript");
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(typescript, join(folder, "node_modules/typescript"), "junction");
  // Reading the DOM's types would take longer than everything else.
  const compilerOptions = { module: "preserve", types: [], lib: ["es2023"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const { exitCode, stdout } = await runBearhug(["check", "--json"], folder);
  expect(exitCode).toBe(104);
  const { exitCode: documentExitCode, problems } = readDocument(stdout);
  expect(documentExitCode).toBe(104);
  expect(problems).toContainEqual(
    expect.objectContaining({ code: "INVALID_TEST", file: "load/shop.load.ts", line: 6 }),
  );
  expect(problems).toContainEqual({
    code: "TS2322",
    message: "TS2322: Type 'string' is not assignable to type 'number'.",
    file: "load/shop.load.ts",
    line: 17,
    column: 7,
  });
});

test("list --json has a schema", async () => {
  const { stdout } = await runBearhug(["list", "--json"], projectOf("http://a.test"));
  expect(readDocument(stdout)).toMatchObject({ schema: "bearhug/list@1", tests: [{ name: "shop.load.ts" }] });
});

test("try --json lists every step, without secrets", async () => {
  const { url } = await startServer();
  const options = ["try", "load/shop.load.ts", "--json", "--env", "SHOP_PASSWORD=correct-horse-battery"];
  const { exitCode, stdout } = await runBearhug(options, projectOf(url));
  expect(exitCode).toBe(99);
  expect(stdout).not.toContain("correct-horse");
  const place = { scenario: "buy", page: "login", group: null };
  expect(readDocument(stdout)).toMatchObject({
    schema: "bearhug/try@1",
    exitCode: 99,
    counts: { requests: 1, failedRequests: 0, checks: 2, failedChecks: 1 },
    steps: [
      {
        kind: "request",
        ...place,
        method: "POST",
        url: `${url}/login`,
        status: 200,
        error: null,
        request: { body: '{"password":"***"}', isCut: false },
        response: { body: "hello\n" },
      },
      { kind: "log", level: "info", text: "logged in" },
      { kind: "extraction", ...place, value: "el" },
      { kind: "check", ...place, name: "is 200", passed: true },
      { kind: "check", ...place, name: "is JSON", passed: false },
    ],
    errors: [],
  });
});

test("doctor --json lists limits and folders; --clean empties the folders, except for runs under way", async () => {
  const cache = temporaryFolder();
  const environment = { XDG_CACHE_HOME: cache, TMPDIR: cache };
  const [runs, compiled] = [
    join(cache, "bearhug/runs"),
    join(cache, `bearhug-compile-cache-${process.getuid?.() ?? -1}`),
  ];
  for (const folder of [runs, compiled]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "old"), "12345");
    utimesSync(join(folder, "old"), 1000, 1000);
  }
  writeFileSync(join(runs, "new"), "123");
  const before = await startBearhug(["doctor", "--json"], undefined, environment);
  expect(before.exitCode, before.stderr).toBe(0);
  expect(readDocument(before.stdout)).toMatchObject({
    schema: "bearhug/doctor@1",
    node: process.versions.node,
    folders: [
      { path: runs, bytes: 8 },
      { path: compiled, bytes: 5 },
    ],
  });
  const { exitCode, stdout } = await startBearhug(["doctor", "--clean"], undefined, environment);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`    ${runs}\n`);
  expect(readdirSync(runs)).toEqual(["new"]);
  expect(readdirSync(compiled)).toEqual([]);
});

test.skipIf(process.platform === "win32")(
  "doctor --clean does not follow a link in a shared folder",
  async () => {
    const cache = temporaryFolder();
    const precious = join(temporaryFolder(), "precious");
    mkdirSync(precious);
    writeFileSync(join(precious, "letter"), "dear");
    const link = join(cache, `bearhug-compile-cache-${process.getuid?.() ?? -1}`);
    symlinkSync(precious, link);
    const environment = { XDG_CACHE_HOME: cache, TMPDIR: cache };
    const { exitCode, stderr } = await startBearhug(["doctor", "--clean"], undefined, environment);
    expect(exitCode).toBe(104);
    expect(stderr).toContain(`${link} was not emptied: it is a symbolic link`);
    expect(readdirSync(precious)).toEqual(["letter"]);
  },
);

test.each(["check", "list", "try"])(
  "the output of a test is no part of the document of %s",
  async (command) => {
    const { url } = await startServer();
    const printing = shopTest(url)
      .replace("export default", `console.log("loaded");\nexport default`)
      .replace(`log("logged in")`, `process.stdout.write("logged in\\n")`);
    const { stdout, stderr } = await startBearhug(
      [command, "load/shop.load.ts", "--json"],
      projectOf(url, printing),
      {
        SHOP_PASSWORD: "correct-horse-battery",
      },
    );
    expect(readDocument(stdout).schema).toBe(`bearhug/${command}@1`);
    if (command === "try") expect(stderr).toContain("loaded\nlogged in\n");
  },
);

test("import --json lists the files that it wrote, or has the test if it wrote none", async () => {
  const folder = temporaryFolder();
  const capture = join(import.meta.dirname, "../../../../docs/demo.har");
  const options = ["import", capture, "-o", join(folder, "load/shop.load.ts"), "--json"];
  const { exitCode, stdout, stderr } = await runBearhug(options, folder);
  expect(exitCode, stderr).toBe(0);
  const document = readDocument(stdout);
  const written = document["written"] as string[];
  expect(document).toMatchObject({
    schema: "bearhug/import@1",
    test: join(folder, "load/shop.load.ts"),
    source: null,
    unreadable: [],
  });
  for (const path of written) expect(readFileSync(path, "utf8")).not.toBe("");
  expect(written).toContain(document["test"]);
  const shown = await runBearhug(["import", capture, "--json"], folder);
  expect(readDocument(shown.stdout)).toMatchObject({
    test: null,
    written: [],
    source: expect.stringContaining("export default defineTest(") as string,
  });
});

test.each([
  { words: ["run", "load/shop.load.ts", "--duration", "nothing"], code: "INVALID_OPTION" },
  { words: ["sweep", "load/other.load.ts"], code: "INVALID_OPTION" },
  { words: ["compare", "one.json", "two.json"], code: "INVALID_OPTION" },
  { words: ["doctor", "--fast"], code: "INVALID_OPTION" },
  {
    words: ["import", join(import.meta.dirname, "../../../../docs/demo.har"), "--explain"],
    code: "INVALID_OPTION",
  },
])("$words --json is refused with a document", async ({ words, code }) => {
  const { exitCode, stdout, stderr } = await runBearhug([...words, "--json"], projectOf("http://a.test"));
  expect(exitCode).toBe(104);
  const { problems } = readDocument(stdout);
  expect(problems).toContainEqual({ code, message: expect.any(String) as string });
  for (const { message } of problems as { message: string }[]) expect(stderr).toContain(message);
});

test("a run that refuses a test reports the places of its problems", async () => {
  const wrong = shopTest("http://a.test").replace("vus: 5", "vus: 0");
  const options = ["run", "load/shop.load.ts", "--json", "--env", "SHOP_PASSWORD=x"];
  const { exitCode, stdout } = await runBearhug(options, projectOf("", wrong));
  expect(exitCode).toBe(104);
  expect(readDocument(stdout)).toMatchObject({
    schema: "bearhug/problems@1",
    exitCode: 104,
    problems: [{ code: "INVALID_TEST", file: "load/shop.load.ts", line: 6 }],
  });
});

/** A second, valid test. */
const fine = `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "http://a.test",
  env: { SHOP_PASSWORD: { secret: true, default: "" } },
  scenarios: { look: { executor: "shared-iterations", vus: 1, iterations: 1, exec: () => {} } },
});
`;
const set = ["--env", "SHOP_PASSWORD=x"];
test.each([
  {
    what: "a variable that is not set",
    options: [],
    problem: { code: "MISSING_VARIABLE", file: "load/shop.load.ts", line: 4 },
  },
  {
    what: "a limit that a test exceeds",
    options: [...set, "--limit-vus", "2"],
    isTried: false,
    problem: { code: "INVALID_OPTION", message: "--limit-vus 2: the test plans up to 5 virtual users." },
  },
  {
    what: "a variable that the test does not declare",
    options: [...set, "--env", "SHOP=x"],
    problem: { code: "INVALID_OPTION", message: expect.stringMatching(/^--env SHOP: /) as string },
  },
  {
    what: "too many virtual users",
    change: (text: string) => text.replace("vus: 5", "vus: 5_000_000"),
    options: set,
    isTried: false,
    problem: { code: "INVALID_TEST", file: "load/shop.load.ts", line: 6 },
  },
  {
    what: "a threshold that judges nothing",
    change: (text: string) => text.replace("http_req_duration:", '"iteration_duration{method:GET}":'),
    options: set,
    isTried: false,
    problem: { code: "INVALID_TEST", file: "load/shop.load.ts", line: 15 },
  },
  {
    what: "a test that is not exported",
    change: (text: string) => text.replace("export default", "export const test ="),
    options: set,
    problem: { code: "INVALID_TEST", file: "load/shop.load.ts", line: 1, column: 1 },
  },
])(
  "$what has the same code in every command, and its place in the test",
  async ({ change, options, problem, isTried = true }) => {
    const folder = projectOf("", (change ?? String)(shopTest("http://a.test")));
    writeFileSync(join(folder, "load/fine.load.ts"), fine);
    const commands = [
      ["check", "load/shop.load.ts", "--no-types", "--strict-env"],
      ["run", "load/shop.load.ts"],
      // try runs one user and judges nothing, so it does not see problems with the plan.
      ...(isTried ? [["try", "load/shop.load.ts"]] : []),
      ["run", "load/shop.load.ts", "load/fine.load.ts"],
    ];
    // One after another: at the same time, each would need a process of its own.
    for (const words of commands) {
      const { exitCode, stdout } = await runBearhug([...words, ...options, "--json"], folder);
      const { problems } = readDocument(stdout);
      expect({ words, exitCode, problems }).toMatchObject({
        exitCode: 104,
        problems: expect.arrayContaining([expect.objectContaining(problem)]) as unknown,
      });
    }
  },
);

test("a run, a one-liner, a sweep and a report print only the result with --json", async () => {
  const { url } = await startServer();
  const folder = projectOf(url);
  for (const words of [
    ["run", "load/shop.load.ts", "--iterations", "5", "--env", "SHOP_PASSWORD=x"],
    [url, "-n", "10"],
    ["sweep", url, "-c", "1,2", "--measure", "200ms", "--settle", "0s"],
    ["report", "result.json"],
  ]) {
    const { stdout, stderr } = await runBearhug([...words, "--json"], folder);
    writeFileSync(join(folder, "result.json"), stdout);
    const document: unknown = JSON.parse(stdout);
    expect(schemaErrors("result.schema.json", document)).toEqual([]);
    expect(stderr).toContain("Generator");
  }
});

test("compare prints only the comparison with --json", async () => {
  const folder = temporaryFolder();
  for (const [seed, name] of ["a.json", "b.json"].entries())
    writeFileSync(
      join(folder, name),
      JSON.stringify(simulateResult({ seed: seed + 1, seconds: 20, requestsPerSecond: 200 })),
    );
  const { stdout } = await runBearhug(["compare", "a.json", "b.json", "--json"], folder);
  const document: unknown = JSON.parse(stdout);
  expect(schemaErrors("comparison.schema.json", document)).toEqual([]);
});

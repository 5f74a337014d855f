import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { root } from "../../../../tools/workspace.mjs";
import { readProblems } from "../../src/test-set/check-types.ts";
import { runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const good = `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  name: "Home page",
  baseUrl: "http://127.0.0.1:9",
  env: { TOKEN: { type: "string" } },
  setup: () => { throw new Error("setup ran"); },
  scenarios: {
    browse: { executor: "constant-vus", vus: 10, duration: "30s", exec: ({ http }) => http.get("/") },
  },
  thresholds: { http_req_duration: ["p(95)<500ms", { threshold: "p(99)<1s", abortOnFail: true }] },
});
`;

test("check shows the plan of a valid test and sends nothing", async () => {
  const folder = folderOf({ "home.load.ts": good });
  const { exitCode, stdout, stderr } = await runBearhug(
    ["check", "--no-types", "--env", "TOKEN=abc-123-def", "--vus", "20"],
    folder,
  );
  const bar = "█".repeat(62);
  expect(stdout.split("\n").map((line) => line.trimEnd())).toEqual([
    "Home page  home.load.ts:2:16",
    expect.stringMatching(/^ {2}http:\/\/127\.0\.0\.1:9 · \d+ workers?$/),
    "",
    "  scenario  load             most VUs",
    "  browse    20 VUs for 30 s        20",
    "",
    `  browse  20 VUs │${bar}`,
    ...Array.from({ length: 4 }, () => `                 │${bar}`),
    expect.stringMatching(/└─+┬─+┬─+┬$/),
    expect.stringMatching(/0 +10 s +20 s +30 s$/),
    "",
    "  threshold",
    "  http_req_duration  p(95)<500ms",
    "  http_req_duration  p(99)<1s     ends the run if it fails",
    "",
  ]);
  expect(stderr).toBe("1 test checked: no problems.\n");
  expect(exitCode).toBe(0);
});

test("check reports every problem of one place", async () => {
  const folder = folderOf({ "home.load.ts": good });
  const limits = ["--limit-hosts", "x.example", "--limit-vus", "1", "--limit-duration", "1s"];
  const { exitCode, stderr } = await runBearhug(
    ["check", "--no-types", "--env", "TOKEN=abc-123-def", ...limits],
    folder,
  );
  expect(exitCode).toBe(104);
  const lines = stderr.trimEnd().split("\n");
  expect(lines).toEqual([
    expect.stringMatching(/^home\.load\.ts:2:16: error: --limit-hosts: /),
    expect.stringMatching(/^home\.load\.ts:2:16: error: --limit-vus 1: /),
    expect.stringMatching(/^home\.load\.ts:2:16: error: --limit-duration 1 s: /),
    "1 test checked: 3 problems in 1 file.",
  ]);
});

test("check reports problems of tests and of their plans together, each at its place", async () => {
  const folder = folderOf({
    "a.load.ts": good,
    "b.load.ts": `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  scenarios: {
    s: { executor: "constant-vus", vus: 0, duration: "1s", exec: () => undefined },
    t: { executor: "constant-vus", vus: 1, durration: "1s", exec: () => undefined },
  },
});`,
  });
  const { exitCode, stdout, stderr } = await runBearhug(["check", "--no-types", "--strict-env"], folder);
  expect(stdout).toBe("");
  expect(stderr.split("\n")).toEqual([
    expect.stringMatching(/^a\.load\.ts:5:10: error: TOKEN .*--env-from FILE/),
    "b.load.ts:4:36: error: scenarios.s.vus must be 1 or more, but is 0.",
    expect.stringMatching(/^b\.load\.ts:5:5: error: scenarios\.t\.duration must be a time/),
    'b.load.ts:5:44: error: scenarios.t.durration is not an option of constant-vus: did you mean "duration"?',
    "2 tests checked: 4 problems in 2 files.",
    "",
  ]);
  expect(exitCode).toBe(104);
});

test("check warns of a variable that is not set, at its place, and shows the plan", async () => {
  const folder = folderOf({ "a.load.ts": good });
  const { exitCode, stdout, stderr } = await runBearhug(["check", "--no-types"], folder);
  expect(stdout).toContain("browse    10 VUs for 30 s");
  expect(stderr.split("\n")).toEqual([
    expect.stringMatching(/^a\.load\.ts:5:10: warning: TOKEN is not set: .*--env-from FILE/),
    "1 test checked: no problems.",
    "",
  ]);
  expect(exitCode).toBe(0);
});

test("check fails if it finds no test", async () => {
  const folder = folderOf({ "home.ts": good });
  const endings = ".load.ts, .load.mts, .load.js or .load.mjs";
  expect(await runBearhug(["check"], folder)).toEqual({
    exitCode: 104,
    stdout: "",
    stderr: `bearhug: No tests found: no file in this folder or below it ends in ${endings}. Name a file to choose it.\n`,
  });
  const named = await runBearhug(["check", "."], folder);
  expect([named.exitCode, named.stderr]).toEqual([
    104,
    `bearhug: . has no tests: no file in it ends in ${endings}.\n`,
  ]);
});

test("check reports type errors of the project's TypeScript and its options, beside files that cannot be parsed", async () => {
  const folder = folderOf({
    "a.load.ts": 'const count: number = "three";\nexport default () => count;\n',
    "b.load.ts": "export default (;",
    "tsconfig.json": JSON.stringify({
      compilerOptions: { noImplicitAny: false, types: [], lib: ["es2023"] },
      include: ["elsewhere"],
    }),
    "c.load.ts": "export default (untyped) => untyped;\n",
  });
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(root, "node_modules/typescript"), join(folder, "node_modules/typescript"), "junction");
  const { exitCode, stderr } = await runBearhug(["check"], folder);
  expect(stderr.split("\n")).toEqual([
    "a.load.ts:1:7: error: TS2322: Type 'string' is not assignable to type 'number'.",
    expect.stringMatching(/^a\.load\.ts:2:16: error: The default export is a function\./),
    expect.stringMatching(/^b\.load\.ts:1:17: error: /),
    expect.stringMatching(/^c\.load\.ts:1:16: error: The default export is a function\./),
    "3 tests checked: 4 problems in 3 files.",
    "",
  ]);
  expect(exitCode).toBe(104);
});

test("check blames the project's configuration for its options, not a file of bearhug's own", async () => {
  const folder = folderOf({
    "a.load.ts": good,
    "tsconfig.json": JSON.stringify({
      compilerOptions: { module: "esnext", moduleResolution: "nodenext", types: [], lib: ["es2023"] },
    }),
  });
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(root, "node_modules/typescript"), join(folder, "node_modules/typescript"), "junction");
  const { exitCode, stderr } = await runBearhug(["check", "--env", "TOKEN=abc-123-def"], folder);
  expect(stderr.split("\n").filter((line) => line.includes("TS5110"))).toEqual([
    expect.stringMatching(/^tsconfig\.json:1:1: error: TS5110: Option 'module' must be set to/),
  ]);
  expect(exitCode).toBe(104);
});

test("check does not blame setup, to which TypeScript gives no type after any other mistake", async () => {
  const folder = folderOf({
    "above.load.ts": withSetup(`vus: "three", duration: "1s"`, true),
    "below.load.ts": withSetup(`vus: 3, duration: "1s"`, false),
    "tsconfig.json": JSON.stringify({
      compilerOptions: { strict: true, module: "nodenext", types: [], lib: ["es2023"], customConditions },
    }),
  });
  mkdirSync(join(folder, "node_modules/@bearhug"), { recursive: true });
  symlinkSync(join(root, "node_modules/typescript"), join(folder, "node_modules/typescript"), "junction");
  symlinkSync(join(root, "packages/sdk"), join(folder, "node_modules/@bearhug/sdk"), "junction");
  const { stderr } = await runBearhug(["check"], folder);
  expect(stderr.split("\n").map((line) => line.slice(0, 100))).toEqual([
    expect.stringMatching(/^above\.load\.ts:6:\d+: error: scenarios\.a\.vus must be a number/),
    expect.stringMatching(
      /^below\.load\.ts:6:\d+: error: TS2339: .* does not exist on type 'UnknownData'\.$/,
    ),
    expect.stringMatching(/^below\.load\.ts:10:3: error: TS2322: Type '\(\{ http }/),
    "2 tests checked: 3 problems in 2 files.",
    "",
  ]);
});

/** The check has just built the declarations, as users have them; the sources take longer. */
const customConditions = process.env["BEARHUG_PACKED"] === undefined ? ["bearhug-source"] : [];

/** Returns a test that uses the data of its setup, which is above its scenarios or below. */
function withSetup(options: string, isAbove: boolean): string {
  const setup = "  setup: async ({ http }) => ({ path: (await http.get('/')).text() }),\n";
  return `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "http://127.0.0.1:9",
${isAbove ? setup : "\n"}  scenarios: {
    a: { executor: "constant-vus", ${options}, exec: ({ http, data }) => http.get(data.path) },
  },
  thresholds: { http_req_failed: ["rate<1%"] },

${isAbove ? "" : setup}});
`;
}

test("check finds the project's types even if it cannot write into the project", async () => {
  const folder = folderOf({ "a.load.ts": "const path = ofNode.missing;\nexport default () => path;\n" });
  mkdirSync(join(folder, "node_modules/@types/node"), { recursive: true });
  writeFileSync(
    join(folder, "node_modules/@types/node/index.d.ts"),
    "declare const ofNode: { path: string };\n",
  );
  // A file in this place prevents a folder there, even for root.
  writeFileSync(join(folder, "node_modules/.cache"), "");
  symlinkSync(join(root, "node_modules/typescript"), join(folder, "node_modules/typescript"), "junction");
  const { exitCode, stderr } = await runBearhug(["check"], folder);
  expect(stderr.split("\n")).toContain(
    "a.load.ts:1:21: error: TS2339: Property 'missing' does not exist on type '{ path: string; }'.",
  );
  expect(exitCode).toBe(104);
});

test("without TypeScript, check says how to install it and goes on", async () => {
  const folder = folderOf({ "home.load.ts": good });
  const { exitCode, stderr } = await runBearhug(["check", "--env", "TOKEN=abc-123-def"], folder);
  expect(stderr.split("\n")).toEqual([
    "Types were not checked, because TypeScript is not installed here: npm install --save-dev typescript",
    "1 test checked: no problems.",
    "",
  ]);
  expect(exitCode).toBe(0);
});

test("TypeScript's errors are parsed with their places; indented lines belong to the error above", () => {
  const output = [
    "load/home (1).load.ts(2,7): error TS2322: Type 'A' is not assignable to type 'B'.",
    "  Types of property 'c' are incompatible.",
    "error TS18003: No inputs were found.",
    "",
  ].join("\r\n");
  expect(readProblems(output, "tsconfig.json")).toEqual([
    {
      file: "load/home (1).load.ts",
      line: 2,
      column: 7,
      code: "TS2322",
      message: "TS2322: Type 'A' is not assignable to type 'B'. Types of property 'c' are incompatible.",
    },
    { file: "tsconfig.json", line: 1, column: 1, code: "TS18003", message: "TS18003: No inputs were found." },
  ]);
});

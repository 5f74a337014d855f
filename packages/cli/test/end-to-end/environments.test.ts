import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { readResult, runForResult, runBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const shop = `import { defineTest } from "bearhug";
export default defineTest({
  env: {
    STAGE: { default: "staging" },
    PORT: { type: "number" },
    USERS: { type: "number", default: 2 },
    PEAK: { type: "duration", default: "300ms" },
    STRICT: { type: "boolean", default: false },
    API_TOKEN: {},
  },
  baseUrl: ({ env }) => \`http://127.0.0.1:\${env.PORT}\`,
  vuState: () => ({ visits: 0 }),
  scenarios: {
    browse: {
      executor: "ramping-vus",
      startVUs: 0,
      stages: ({ env }) => [{ duration: env.PEAK, target: env.USERS }, { duration: env.PEAK, target: 0 }],
      exec: async ({ http, env, vu, sleep }) => {
        vu.state.visits += 1;
        await http.get(\`/\${env.STAGE}\`, { auth: { bearer: env.API_TOKEN } });
        await sleep(20);
      },
    },
    buy: {
      executor: "per-vu-iterations",
      env: { USERS: 3 },
      vus: ({ env }) => env.USERS,
      exec: ({ http, env }) => http.get("/buy", { params: { users: env.USERS + 1, strict: env.STRICT } }),
    },
  },
  thresholds: {
    http_req_failed: ({ env }) => [env.STRICT ? "rate<1%" : "rate<5%"],
    http_req_duration: ({ env }) => (env.STRICT ? [\`p(95)<\${env.USERS}s\`] : []),
  },
});`;

function linesOf(stderr: string): string[] {
  return stderr
    .trimEnd()
    .split("\n")
    .map((line) => line.replace("bearhug: ", ""));
}

describe("options that are functions of the environment variables", () => {
  test("are evaluated before the run, with typed values", async () => {
    const server = await startServer();
    const { port } = new URL(server.url);
    const variables = ["--env", `PORT=${port}`, "--env", "API_TOKEN=0123456789", "--env", "STAGE=www"];
    const { exitCode, result } = await runForResult([
      "run",
      writeTest(shop),
      ...variables,
      "--env",
      "STRICT=true",
      "--env",
      "PEAK=0.2s",
    ]);
    expect(exitCode).toBe(0);
    expect(result.test.target).toBe(server.url);
    expect(result.plan.scenarios).toMatchObject([
      { description: "from 0 VUs to 2 in 200 ms, to 0 in 200 ms" },
      { description: "1 iteration for each of 3 VUs" },
    ]);
    expect(result.thresholds.map(({ metric, expression }) => [metric, expression])).toEqual([
      ["http_req_failed", "rate<1%"],
      ["http_req_duration", "p(95)<2s"],
    ]);
    expect(server.counts.get("GET /buy?users=4&strict=true")).toBe(3);
    expect(server.counts.get("GET /www")).toBeGreaterThan(0);
    expect(JSON.stringify(result)).not.toContain("0123456789");
  });

  test("may give an empty list of thresholds, which judges nothing", async () => {
    const server = await startServer();
    const { port } = new URL(server.url);
    const { result } = await runForResult([
      "run",
      writeTest(shop),
      "--env",
      `PORT=${port}`,
      "--env",
      "API_TOKEN=0123456789",
    ]);
    expect(result.thresholds.map(({ expression }) => expression)).toEqual(["rate<5%"]);
  });

  test("are not called if variables are missing or malformed, which are all reported at once", async () => {
    const given = [
      "--env",
      "PORT=http",
      "--env",
      "STRICT=maybe",
      "--env",
      "PEAK=1 parsec",
      "--env",
      "USRES=5",
    ];
    const { exitCode, stderr } = await runBearhug(["run", writeTest(shop), ...given]);
    expect([exitCode, linesOf(stderr)]).toEqual([
      104,
      [
        "--env USRES: the test declares no such variable. Did you mean USERS?",
        'PORT must be a number such as 10, but is "http".',
        'PEAK must be a duration such as 30s, 1m30s or 500ms, but is "1 parsec".',
        'STRICT must be true or false, but is "maybe".',
        "API_TOKEN is not set: the test needs it. Set it in the environment, or with --env-from FILE",
      ],
    ]);
  });

  test("are validated by what they return, and an exception in one is an error of the test", async () => {
    const wrong = `import { defineTest } from "bearhug";
export default defineTest({
  env: { USERS: { type: "number", default: 0 } },
  scenarios: { a: { executor: "constant-vus", duration: "1s", vus: ({ env }) => env.USERS, exec: () => 1 } },
});`;
    const invalid = await runBearhug(["run", writeTest(wrong)]);
    expect([invalid.exitCode, linesOf(invalid.stderr)]).toEqual([
      104,
      [expect.stringMatching(/^scenarios\.a\.vus must be 1 or more, but is 0 \(.*your-test\.ts:4:63\)\.$/)],
    ]);
    const throwing = wrong.replace("=> env.USERS", '=> { throw new Error("no users"); }');
    const { exitCode, stdout } = await runBearhug(["run", writeTest(throwing)]);
    expect([exitCode, stdout]).toEqual([107, expect.stringMatching(/no users at .*your-test\.ts:4:/)]);
  });
});

describe("variables of a file", () => {
  const printing = `import { defineTest } from "bearhug";
export default defineTest({
  env: { STAGE: {}, USERS: { type: "number", default: 1 } },
  expectNoRequests: true,
  scenarios: {
    a: {
      executor: "shared-iterations",
      exec: ({ env, log }) => log(JSON.stringify([env, process.env["STAGE"] ?? null, process.env["OTHER"] ?? null])),
    },
  },
});`;

  test("are in the test's env and not in process.env; the command line overrides them, they override the environment", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "production.env");
    writeFileSync(file, "STAGE=www\nUSERS=5\nOTHER=not-declared\n");
    const run = async (
      options: readonly string[],
      environment: Record<string, string> = {},
    ): Promise<string> =>
      (await runBearhug(["run", writeTest(printing), ...options], folder, environment)).stderr;
    expect(await run(["--env-from", file])).toContain('[{"STAGE":"www","USERS":5},null,null]');
    expect(await run([], { BEARHUG_ENV_FILE: file })).toContain('[{"STAGE":"www","USERS":5},null,null]');
    expect(await run([`--env-file=${file}`, "--env", "USERS=7"], { STAGE: "outer" })).toContain(
      '[{"STAGE":"www","USERS":7},"outer",null]',
    );
  });
});

test("each virtual user starts with its own state, which vuState makes", async () => {
  const source = `import { defineTest } from "bearhug";
export default defineTest({
  expectNoRequests: true,
  vuState: () => ({ visits: 0 }),
  metrics: { visits: { type: "trend" } },
  scenarios: {
    a: { executor: "per-vu-iterations", vus: 2, iterations: 3, exec: ({ vu, metrics }) => metrics.visits.add(++vu.state.visits) },
  },
});`;
  const path = join(temporaryFolder(), "result.json");
  const ended = await runBearhug(["run", writeTest(source), "--out", `json=${path}`]);
  expect(readResult(path, ended).metrics["visits"]?.values).toMatchObject({
    count: 6,
    min: 1,
    max: 3,
    avg: 2,
  });
});

import { describe, expect, test } from "vitest";

import type { Ended } from "../kept-process/command-line.ts";
import { readResult, runBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const nowhere = "http://127.0.0.1:1/";

function linesOf({ stderr }: Ended): string[] {
  return stderr
    .trimEnd()
    .split("\n")
    .map((line) => line.replace("bearhug: ", ""));
}

describe("a refusal is also a JSON document if that is requested", () => {
  test.each<[string, string[], Record<string, string>]>([
    ["by a variable", ["check", "none.load.ts"], { BEARHUG_JSON: "true" }],
    ["by a variable, next to another problem", ["list", "none.load.ts", "--nothing"], { BEARHUG_JSON: "1" }],
    ["by --out", ["run", "none.load.ts", "--out", "json=-"], {}],
    ["by -o", ["run", "none.load.ts", "-ojson=-"], {}],
    ["by the variable of --out", [nowhere, "-c", "none"], { BEARHUG_OUT: "json=-" }],
  ])("%s", async (_, words, environment) => {
    const { exitCode, stdout } = await runBearhug(words, temporaryFolder(), environment);
    expect(exitCode).toBe(104);
    expect(JSON.parse(stdout)).toMatchObject({ schema: "bearhug/problems@1", exitCode: 104 });
  });

  test.each<[string, string[], Record<string, string>]>([
    ["a variable of another command", ["run", "none.load.ts"], { BEARHUG_JSON: "true" }],
    ["a variable that says no", ["check", "none.load.ts"], { BEARHUG_JSON: "false" }],
    ["a file", ["run", "none.load.ts", "--out", "json=r.json"], {}],
  ])("%s does not request it", async (_, words, environment) => {
    const { exitCode, stdout } = await runBearhug(words, temporaryFolder(), environment);
    expect([exitCode, stdout]).toEqual([104, ""]);
  });
});

describe("variables stand for options", () => {
  test("of a one-liner, including repeatable ones and switches", async () => {
    const seen: string[] = [];
    const server = await startServer((request, response) => {
      seen.push([request.method, request.headers["x-one"], request.headers["x-two"]].join(" "));
      response.end();
    });
    const path = `${temporaryFolder()}/result.json`;
    const ended = await runBearhug([`${server.url}/`], undefined, {
      BEARHUG_VUS: "1",
      BEARHUG_ITERATIONS: "3",
      BEARHUG_METHOD: "PUT",
      BEARHUG_BODY: "two\nlines",
      BEARHUG_HEADER: "x-one: 1\nx-two: 2\n",
      BEARHUG_TAG: "team=web\r\nregion=eu",
      BEARHUG_THRESHOLD: "http_reqs: count==3\nhttp_req_failed: rate==0",
      BEARHUG_OUT: `json=${path}`,
      BEARHUG_QUIET: "true",
      BEARHUG_STRICT_GENERATOR: "0",
    });
    expect(ended.exitCode, ended.stderr).toBe(0);
    expect(seen).toEqual(Array(3).fill("PUT 1 2"));
    const { thresholds } = readResult(path, ended);
    expect(thresholds.map(({ expression, passed }) => [expression, passed])).toEqual([
      ["count==3", true],
      ["rate==0", true],
    ]);
  });

  test("of a test, and the command line overrides them", async () => {
    const server = await startServer();
    const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}", env: { WHO: {}, WHERE: {} },
  scenarios: { s: { executor: "shared-iterations", vus: 1, iterations: 9, exec: ({ http, env }) => http.get("/" + env.WHO + env.WHERE) } },
});`);
    const environment = { BEARHUG_ENV: "WHO=me\nWHERE=here", BEARHUG_ITERATIONS: "5" };
    const { exitCode } = await runBearhug(["run", file, "--iterations", "2"], undefined, environment);
    expect(exitCode).toBe(0);
    expect([...server.counts]).toEqual([["GET /mehere", 2]]);
    const replaced = await runBearhug(["run", file, "--env", "WHO=you"], undefined, environment);
    expect([replaced.exitCode, replaced.stderr]).toEqual([104, expect.stringContaining("WHERE is not set")]);
  });

  test("unless they are empty, as CI systems may set them", async () => {
    const server = await startServer();
    const empty = {
      BEARHUG_VUS: "",
      BEARHUG_QUIET: "",
      BEARHUG_TAG: "",
      BEARHUG_ENV_FILE: "",
      BEARHUG_X: "",
    };
    const ended = await runBearhug([`${server.url}/`, "-n", "20"], undefined, empty);
    expect([ended.exitCode, ended.stderr]).toEqual([0, ""]);
    expect(server.total()).toBe(20);
  });

  test("but not for those of a report, which would overwrite the reports of runs", async () => {
    const { exitCode, stdout } = await runBearhug(["report"], undefined, { BEARHUG_OUT: "json" });
    expect([exitCode, stdout]).toEqual([0, "No run was killed in the last 7 days.\n"]);
  });

  test("of a command that starts a server", async () => {
    const ended = await runBearhug(["demo"], undefined, { BEARHUG_LISTEN: "70000" });
    expect([ended.exitCode, linesOf(ended)]).toEqual([
      104,
      ["BEARHUG_LISTEN=70000: must be a port, or an IP address with a port, such as 8080 or 0.0.0.0:8080."],
    ]);
  });
});

describe("variables that cannot be used", () => {
  test("are reported by their names, with all other problems", async () => {
    const ended = await runBearhug([nowhere, "--quite", "-d", "soon"], undefined, {
      BEARHUG_VUS: "none",
      BEARHUG_DURATION: "-1s",
      BEARHUG_SEED: "-1",
      BEARHUG_STRICT_GENERATOR: "yes",
      BEARHUG_TAG: "fine=1\nfoul",
      BEARHUG_THRESHOLD: "nope: rate<1",
    });
    expect(ended.exitCode).toBe(104);
    expect(linesOf(ended)).toEqual([
      "--quite: unknown option. Did you mean --quiet?",
      "BEARHUG_STRICT_GENERATOR=yes: must be 1 or true, 0 or false.",
      "BEARHUG_VUS=none: must be a whole number from 1.",
      expect.stringMatching(/^-d soon: /),
      "BEARHUG_TAG=foul: must be written NAME=VALUE.",
      "BEARHUG_SEED=-1: must be a whole number from 0.",
      `BEARHUG_THRESHOLD="nope": no metric is called nope.`,
    ]);
  });

  test("are reported if nothing else is wrong, and if the test cannot use them", async () => {
    const line = await runBearhug([nowhere], undefined, { BEARHUG_VUS: "abc" });
    expect(linesOf(line)).toEqual(["BEARHUG_VUS=abc: must be a whole number from 1."]);
    const file = writeTest(`import { defineTest } from "@bearhug/sdk";
const s = { executor: "constant-vus", duration: "1s", exec: () => 1 } as const;
export default defineTest({ scenarios: { a: s, b: s } });`);
    const test_ = await runBearhug(["run", file, "--duration", "1s"], undefined, { BEARHUG_VUS: "2" });
    expect(linesOf(test_)).toEqual([
      expect.stringMatching(/^BEARHUG_VUS, --duration: the test has 2 scenarios/),
    ]);
  });

  test("are only mentioned if no option reads them", async () => {
    const server = await startServer();
    const ended = await runBearhug([`${server.url}/`, "-n", "1", "-c", "1"], undefined, {
      BEARHUG_VUZ: "3",
      BEARHUG_TARGET: nowhere,
    });
    expect(ended.exitCode).toBe(0);
    expect(linesOf(ended)).toEqual(["BEARHUG_VUZ is set, but no option reads it. Did you mean BEARHUG_VUS?"]);
  });
});

import { expect, test } from "vitest";

import { runBearhug, startBearhug, writeTest } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const lines = 2000;

// The last lines of a stage are still on the way when the stage has ended.
test.each(["1", "0"])(
  "everything that a test prints is shown, up to the last line of each stage (--workers %s)",
  async (workers) => {
    const { url } = await startServer();
    const path = writeTest(`
    import { defineTest } from "@bearhug/sdk";
    const print = (stage) => {
      for (let line = 1; line <= ${lines}; line++) console.log(stage + " prints " + line);
      process.stdout.write(stage + " ends");
    };
    export default defineTest({
      baseUrl: "${url}",
      setup: () => print("setup"),
      scenarios: {
        one: {
          executor: "shared-iterations", vus: 1, iterations: 1,
          exec: async ({ http }) => { await http.get("/"); print("load"); },
        },
      },
      teardown: () => print("teardown"),
      summary: () => { print("summary"); return { stdout: "own summary" }; },
    });`);
    const { exitCode, stdout, stderr } = await runBearhug(["run", path, "--workers", workers]);
    expect(exitCode, stderr.slice(-500)).toBe(0);
    expect(stdout).toBe("own summary\n");
    for (const stage of ["setup", "load", "teardown", "summary"]) {
      const numbers = [...stderr.matchAll(new RegExp(`${stage} prints (\\d+)`, "g"))].map(([, line]) =>
        Number(line),
      );
      expect(numbers, stage).toEqual(Array.from({ length: lines }, (_, index) => index + 1));
      expect(stderr).toContain(`${stage} ends`);
    }
  },
);

test("stdout holds only the result of a run, whatever its test prints and replaces in the same thread", async () => {
  const { url } = await startServer();
  const path = writeTest(`import { defineTest } from "@bearhug/sdk";
console.log("loaded");
setInterval(() => console.log("still here", process.env.PASSWORD), 5).unref();
process.stdout.write = () => true;
process.stdout.setDefaultEncoding("hex");
export default defineTest({
  baseUrl: "${url}",
  env: { PASSWORD: { secret: true } },
  setup: () => { process.stdout.write("set up"); },
  scenarios: {
    one: {
      executor: "shared-iterations", vus: 1, iterations: 1,
      exec: async ({ http }) => { await http.get("/"); console.log("loading"); },
    },
  },
  summary: () => { console.log("summarized"); return ""; },
});`);
  const environment = { PASSWORD: "correct-horse-battery" };
  const line = ["run", path, "--workers", "0", "--json"];
  const { exitCode, stdout, stderr } = await startBearhug(line, undefined, environment);
  expect(exitCode).toBe(0);
  expect(stderr).not.toContain("correct-horse");
  expect(JSON.parse(stdout)).toMatchObject({ schema: "bearhug/result@1", exitCode: 0 });
});

test.each([1, 0])(
  "a message of several lines is shown in lines, and stacks name the test's own lines (--workers %i)",
  async (workers) => {
    const { url } = await startServer();
    const path = writeTest(`import { defineTest } from "@bearhug/sdk";
const fail = (): never => { throw new Error("no seat\\nleft"); };
export default defineTest({
  baseUrl: "${url}",
  scenarios: {
    one: {
      executor: "shared-iterations", vus: 1, iterations: 1,
      exec: async ({ http, log }) => {
        await http.get("/");
        log("order", { id: 7 }, "of\\n  ada");
        try { fail(); } catch (error) { console.log(error); log.error(error.stack); }
      },
    },
  },
});`);
    const { exitCode, stdout, stderr } = await runBearhug(["run", path, "--workers", String(workers)]);
    expect(exitCode, stderr).toBe(0);
    expect(stderr).toContain("bearhug: order { id: 7 } of  (one, VU 1)\n             ada\n");
    expect(stderr).toMatch(
      /bearhug: error: Error: no seat {2}\(one, VU 1\)\n {11}left\n {15}at fail \(.*your-test\.ts:2:35\)\n {15}at .*your-test\.ts:11:15\)?\n/,
    );
    const printed =
      workers === 0
        ? /Error: no seat\nleft\n {4}at fail \(.*your-test\.ts:2:35\)\n/
        : /bearhug: Error: no seat {2}\(console\)\n {11}left\n {15}at fail \(.*your-test\.ts:2:35\)\n/;
    expect(stderr).toMatch(printed);
    expect(stdout).not.toMatch(printed);
    expect(stdout + stderr).not.toMatch(/\.mjs|\\n/);
  },
);

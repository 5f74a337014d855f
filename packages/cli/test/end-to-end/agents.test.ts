import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { Ended } from "../kept-process/command-line.ts";
import { hasOpenssl, makeCertificate } from "../../../http/test/make-certificate.ts";
import { freePort } from "../free-port.ts";
import { expectBalanced } from "./expect-balanced.ts";
import { readUrl } from "./read-url.ts";
import {
  readResult,
  runBearhug,
  startBearhug,
  temporaryFolder,
  writeTest,
  type Started,
} from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const token = "a-token-for-tests-alone";

function testOf(baseUrl: string, more = ""): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${baseUrl}",
  scenarios: { visits: { executor: "shared-iterations", vus: 4, iterations: 41, exec: ({ http, iteration }) =>
    http.get("/" + iteration.index, { name: "visit" }) } },
  thresholds: { http_reqs: ["count==41"] },
  ${more}
});`);
}

function startAgent(port: number, name: string, environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const line = ["agent", "--join", `wss://127.0.0.1:${port}`, "--name", name];
  return runBearhug(line, temporaryFolder(), { BEARHUG_TOKEN: token, ...environment });
}

/** Resolves once the command has printed such a text to stderr. */
function printed({ child }: Started, pattern: RegExp): Promise<void> {
  return new Promise((resolve) => {
    let text = "";
    child.stderr.on("data", (chunk: string) => {
      text += chunk;
      if (pattern.test(text)) resolve();
    });
  });
}

test("a signal before all agents have joined calls the run off", async () => {
  const port = await freePort();
  const file = testOf("http://127.0.0.1:9");
  const coordinator = startBearhug(["coordinate", file, "--agents", "2", "--listen", `127.0.0.1:${port}`]);
  coordinator.child.stderr.once("data", () => coordinator.child.kill("SIGTERM"));
  const { exitCode, stderr } = await coordinator;
  expect(exitCode, stderr).toBe(105);
  expect(stderr).toContain(
    "bearhug: called off by the coordinator, which received SIGTERM, so there is no result",
  );
});

test("a signal at an agent between setup and the start calls the run off, and teardown runs", async () => {
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
console.log("the module is read");
// The other agent is never ready.
if (process.env.IS_SLOW) await new Promise((resolve) => setTimeout(resolve, 60_000));
export default defineTest({
  setup: () => { console.log("setup runs"); },
  scenarios: { visits: { executor: "shared-iterations", vus: 2, iterations: 2, exec: () => console.log("the load runs") } },
  teardown: () => console.log("teardown runs"),
});`);
  const port = await freePort();
  const coordinate = ["coordinate", file, "--agents", "2", "--listen", `127.0.0.1:${port}`, "--workers", "1"];
  const coordinator = startBearhug(coordinate, undefined, { BEARHUG_TOKEN: token });
  const line = ["agent", "--join", `ws://127.0.0.1:${port}`, "--name"];
  const first = startBearhug([...line, "first"], undefined, { BEARHUG_TOKEN: token });
  // The worker of the load reads the module again, after setup.
  const isLoading = printed(first, /setup runs[^]*the module is read/);
  await printed(first, /joined as shard 1/);
  const other = startBearhug([...line, "other"], undefined, { BEARHUG_TOKEN: token, IS_SLOW: "true" });
  await Promise.all([isLoading, printed(other, /the module is read/)]);
  first.child.kill("SIGINT");
  const ended = await Promise.all([coordinator, first, other]);
  for (const { exitCode, stdout, stderr } of ended) expect(exitCode, stdout + stderr).toBe(105);
  const [, { stderr }, { stderr: ofOther }] = ended;
  expect(stderr).toContain("teardown runs");
  expect(ofOther).toContain(
    "stopping at the request of the coordinator, because first ended before the start",
  );
  expect(stderr + ofOther).not.toContain("the load runs");
});

test("two agents apply one load, and the coordinator makes one result of it", async () => {
  const server = await startServer();
  const folder = temporaryFolder();
  writeFileSync(join(folder, "token"), token);
  const port = await freePort();
  const path = join(folder, "result.json");
  const coordinator = startBearhug(
    ["coordinate", testOf(server.url), "--agents", "2", "--listen", `0.0.0.0:${port}`].concat([
      "--token-file",
      "token",
      "--workers",
      "1",
      "--out",
      `json=${path}`,
      "--resume",
      "kept",
      "--max-data",
      "1GB",
      "--ui",
    ]),
    folder,
  );
  const staysAt = readUrl(coordinator, /the report stays at (\S+) until you press Ctrl\+C/);
  const agents = await Promise.all([
    startAgent(port, "host-one.internal"),
    startAgent(port, "host-two.internal"),
  ]);
  const page = await (await fetch(await staysAt)).text();
  coordinator.child.kill("SIGINT");
  const ended = await coordinator;
  const result = readResult(path, ended);
  for (const { exitCode, stdout, stderr } of [...agents, ended]) expect(exitCode, stdout + stderr).toBe(0);
  expect(result.accounting.iterations).toMatchObject({ scheduled: 41, completed: 41 });
  expect(page).toContain(`"isRunning":false,"title":"your-test.ts"`);
  expect(result.plan.maxDataBytes).toBe(1e9);
  expect(result).toMatchObject({ verdict: "passed", thresholds: [{ passed: true }], shard: null });
  expectBalanced(result);
  // Only the coordinator shows the names of machines, unless one is lost.
  expect(ended.stderr).toContain("host-one.internal");
  expect(JSON.stringify(result)).not.toContain(".internal");
  expect(server.total()).toBe(41);
  expect(server.counts.size).toBe(41);
});

test.runIf(hasOpenssl)("agents verify the certificate of the coordinator", async () => {
  const server = await startServer();
  const folder = temporaryFolder();
  const { cert, key } = makeCertificate("IP:127.0.0.1");
  for (const [name, text] of Object.entries({ cert, key })) writeFileSync(join(folder, name), text);
  const port = await freePort();
  const tls = ["--listen", `127.0.0.1:${port}`, "--tls-cert", "cert", "--tls-key", "key"];
  const coordinator = startBearhug(
    ["coordinate", testOf(server.url), "--agents", "1", "--workers", "1", ...tls],
    folder,
    { BEARHUG_TOKEN: token },
  );
  const doubtful = await startAgent(port, "doubtful");
  expect([doubtful.exitCode, doubtful.stderr]).toEqual([
    104,
    expect.stringContaining("The coordinator shows a certificate that this machine does not trust"),
  ]);
  const trusting = await startAgent(port, "trusting", { NODE_EXTRA_CA_CERTS: join(folder, "cert") });
  for (const { exitCode, stdout, stderr } of [trusting, await coordinator])
    expect(exitCode, stdout + stderr).toBe(0);
  expect(server.total()).toBe(41);
});

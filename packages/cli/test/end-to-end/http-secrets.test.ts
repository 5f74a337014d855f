import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { hasOpenssl, makeCertificate } from "../../../http/test/make-certificate.ts";
import { runBearhug, temporaryFolder } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const proxy = "http://ann:sword%2Ffish@127.0.0.1:1";

test.skipIf(!hasOpenssl)("a proxy's password, a key and its passphrase are written nowhere", async () => {
  const folder = temporaryFolder();
  const { cert, key } = makeCertificate("DNS:localhost");
  const encrypted = execFileSync("openssl", ["pkcs8", "-topk8", "-passout", "pass:tr0ub4dor"], {
    input: key,
    encoding: "utf8",
  });
  writeFileSync(join(folder, "cert.pem"), cert);
  writeFileSync(join(folder, "key.pem"), encrypted);
  const report = join(folder, "result.json");
  writeFileSync(
    join(folder, "your-test.ts"),
    `import { readFileSync } from "node:fs";
import { defineTest } from "@bearhug/sdk";
const key = readFileSync("key.pem", "utf8");
export default defineTest({
  http: { proxy: "${proxy}", tls: { cert: "cert.pem", key: "key.pem", passphrase: "tr0ub4dor" } },
  scenarios: {
    s: {
      executor: "shared-iterations",
      exec: ({ check, log }) => {
        check(1, { "opens with tr0ub4dor": () => true });
        log("key " + key + " and user " + btoa("ann:sword/fish"));
        throw new Error("no way through ${proxy}, with sword/fish");
      },
    },
  },
});`,
  );
  const { stdout, stderr } = await runBearhug(["run", "your-test.ts", "--out", `json=${report}`], folder);
  const output = stdout + stderr + readFileSync(report, "utf8");
  expect(output).toContain("opens with ***");
  expect(output).toContain("no way through http://***@127.0.0.1:1, with ***");
  expect(stderr).toContain("key ***");
  for (const piece of ["tr0ub4dor", "sword", "ENCRYPTED PRIVATE KEY", btoa("ann:sword/fish").slice(8)]) {
    expect(output).not.toContain(piece);
  }
});

test("a problem with a proxy is reported without its password, before anything is sent", async () => {
  const { exitCode, stderr } = await runBearhug(["http://127.0.0.1:1/", "--proxy", `${proxy}/path`]);
  expect(exitCode).toBe(104);
  expect(stderr).toContain("--proxy: must be an address such as");
  expect(stderr).not.toContain("fish");
});

test("a user and password in the address of a benchmark are sent as basic authentication, and written nowhere", async () => {
  const seen = new Set<string | undefined>();
  const server = await startServer(({ headers }, response) => {
    seen.add(headers.authorization);
    response.writeHead(500).end();
  });
  const report = join(temporaryFolder(), "result.json");
  const address = server.url.replace("http://", "http://ann:sword%2Ffish@");
  const { stdout, stderr } = await runBearhug([address, "-c", "1", "-n", "2", "--out", `json=${report}`]);
  const authorization = `Basic ${btoa("ann:sword/fish")}`;
  expect([...seen]).toEqual([authorization]);
  const output = stdout + stderr + readFileSync(report, "utf8");
  expect(output).toContain(server.url);
  for (const piece of ["sword", "fish", authorization]) expect(output).not.toContain(piece);
});

test.each([
  { given: ["http://ann:fish@:99999/"], says: '"http://***@:99999/" is neither a command nor an address' },
  { given: ["ann:fish@127.0.0.1:99999"], says: '"***@127.0.0.1:99999" is neither a command nor an address' },
  { given: ["http://ann:%fish@127.0.0.1:1/"], says: "<url>: percent-encode the user and password" },
  { given: ["http://an%3An:fish@127.0.0.1:1/"], says: "<url>: the user name must not contain a colon" },
  {
    given: ["http://ann:fish@127.0.0.1:1/", "-H", "Authorization: Bearer t"],
    says: "-H authorization: the URL contains a user, too",
  },
  {
    given: ["http://127.0.0.1:1/", "-X", "connect"],
    says: "-X CONNECT: opens a tunnel and cannot be used here.",
  },
])("a problem with a benchmark is reported without its password: $says", async ({ given, says }) => {
  const { exitCode, stderr } = await runBearhug(given);
  expect(exitCode).toBe(104);
  expect(stderr).toContain(says);
  expect(stderr).not.toContain("fish");
});

test("a threshold on a tag that holds a secret is judged by the samples that carry it", async () => {
  const server = await startServer();
  const folder = temporaryFolder();
  const report = join(folder, "result.json");
  writeFileSync(
    join(folder, "your-test.ts"),
    `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  env: { API_TOKEN: {} },
  scenarios: {
    s: { executor: "shared-iterations", vus: 1, iterations: 2, exec: ({ http, env }) => http.get("/", { tags: { who: env.API_TOKEN } }) },
  },
  thresholds: { "http_reqs{who:s3cret-Value-1}": ["count==2"] },
});`,
  );
  const { exitCode, stdout } = await runBearhug(
    ["run", "your-test.ts", "--env", "API_TOKEN=s3cret-Value-1", "--out", `json=${report}`],
    folder,
  );
  expect(exitCode, stdout).toBe(0);
  expect(stdout).toContain("http_reqs{who:***}");
  expect(stdout + readFileSync(report, "utf8")).not.toContain("s3cret-Value-1");
  expect((await runBearhug(["report", report], folder)).exitCode).toBe(0);
});

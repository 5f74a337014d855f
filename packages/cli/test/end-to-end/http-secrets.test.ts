import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { hasOpenssl, makeCertificate } from "../http/make-certificate.ts";
import { startBearhug, temporaryFolder } from "./run-bearhug.ts";

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
  const { stdout, stderr } = await startBearhug(["run", "your-test.ts", "--out", `json=${report}`], folder);
  const told = stdout + stderr + readFileSync(report, "utf8");
  expect(told).toContain("opens with ***");
  expect(told).toContain("no way through http://ann:***@127.0.0.1:1, with ***");
  expect(stderr).toContain("key ***");
  for (const piece of ["tr0ub4dor", "sword", "ENCRYPTED PRIVATE KEY", btoa("ann:sword/fish").slice(8)]) {
    expect(told).not.toContain(piece);
  }
});

test("what is wrong with a proxy is said without its password, before anything is sent", async () => {
  const { exitCode, stderr } = await startBearhug(["http://127.0.0.1:1/", "--proxy", `${proxy}/path`]);
  expect(exitCode).toBe(104);
  expect(stderr).toContain("--proxy: must be an address such as");
  expect(stderr).not.toContain("fish");
});

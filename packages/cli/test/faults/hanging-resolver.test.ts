import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { command } from "../command.ts";
import { expectBalanced } from "../end-to-end/expect-balanced.ts";
import { readResult, temporaryFolder, writeTest } from "../end-to-end/run-bearhug.ts";

const folder = mkdtempSync(join(tmpdir(), "bearhug-test-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The resolver waits for its only name server for minutes, and looks nowhere else but in the hosts file. */
writeFileSync(join(folder, "resolv.conf"), "nameserver 127.0.0.1\noptions timeout:30 attempts:5\n");
writeFileSync(join(folder, "nsswitch.conf"), "hosts: files dns\n");

/** Returns arguments for `unshare` that run a command with its own network and resolver files. */
function inNamespaces(command: readonly string[]): readonly string[] {
  const mounts = ["resolv.conf", "nsswitch.conf"].map(
    (name) => `mount --bind "${folder}/${name}" /etc/${name}`,
  );
  return ["-Urmn", "sh", "-c", `ip link set lo up && ${mounts.join(" && ")} && exec "$0" "$@"`, ...command];
}

const canHideNameServers =
  process.platform === "linux" && spawnSync("unshare", [...inNamespaces(["true"])]).status === 0;

/** A script that starts a silent name server, and a run beside it; both end with its process. */
const driver = `
import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
createSocket("udp4").bind(53, "127.0.0.1", () => {
  const run = spawn(process.execPath, process.argv.slice(2), { stdio: "inherit" });
  run.on("exit", (code) => process.exit(code ?? 1));
});`;

const source = `
import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "http://nowhere.example",
  scenarios: { one: { executor: "shared-iterations", vus: 2, iterations: 2, exec: async ({ http }) => {
    await http.get("/", { timeout: "1s" });
  } } },
  thresholds: { http_reqs: ["count>=0"] },
});`;

test.skipIf(!canHideNameServers).each(["0", "1"])(
  "a hanging system resolver is a DNS_TIMEOUT and does not keep the process alive, --workers %s (needs namespaces)",
  (workers) => {
    const script = join(temporaryFolder(), "driver.mjs");
    const path = join(temporaryFolder(), "result.json");
    writeFileSync(script, driver);
    const bearhug = [command, "run", writeTest(source), "--workers", workers];
    const { status, stdout, stderr } = spawnSync(
      "unshare",
      [...inNamespaces([process.execPath, script, ...bearhug, "--out", `json=${path}`])],
      {
        encoding: "utf8",
        // The resolver itself would take minutes.
        timeout: 30_000,
        env: { ...process.env, NODE_OPTIONS: "", XDG_CACHE_HOME: folder },
      },
    );
    const result = readResult(path, { exitCode: status, stdout, stderr });
    expect(status, stderr).toBe(result.exitCode);
    expect(result.errors.map(({ code }) => code)).toEqual(["DNS_TIMEOUT"]);
    expectBalanced(result);
  },
);

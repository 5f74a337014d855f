import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

import { expect, test } from "vitest";

import { command } from "../command.ts";
import { expectBalanced } from "../end-to-end/expect-balanced.ts";
import { readResult, surroundings, temporaryFolder } from "../end-to-end/run-bearhug.ts";

/** True if this system can create a network namespace, in which nothing else takes ports. */
const canMakeNetwork =
  process.platform === "linux" &&
  spawnSync("unshare", ["-Urn", "ip", "link", "set", "lo", "up"]).status === 0;

/** A script that starts a server and a run with more connections than ports; both end with its process. */
const driver = `
import { spawn } from "node:child_process";
import { createServer } from "node:http";
const server = createServer((_request, response) => setTimeout(() => response.end("ok"), 50)).listen(8080, "127.0.0.1", () => {
  const run = spawn(process.execPath, process.argv.slice(2), { stdio: "inherit" });
  run.on("exit", (code) => process.exit(code ?? 1));
});`;

test.skipIf(!canMakeNetwork)(
  "running out of local ports counts against the generator, not the target (needs network namespaces)",
  () => {
    const folder = temporaryFolder();
    const [path, script] = [`${folder}/result.json`, `${folder}/driver.mjs`];
    writeFileSync(script, driver);
    const bearhug = [command, "http://127.0.0.1:8080/", "-c", "70", "-d", "2s", "--expect-failures"];
    const inNetwork =
      'ip link set lo up && echo "40000 40049" > /proc/sys/net/ipv4/ip_local_port_range && exec "$0" "$@"';
    const stdout = execFileSync(
      "unshare",
      ["-Urn", "sh", "-c", inNetwork, process.execPath, script, ...bearhug, "--out", `json=${path}`],
      {
        encoding: "utf8",
        timeout: 30_000,
        env: surroundings({ XDG_CACHE_HOME: folder }),
      },
    );
    const result = readResult(path, { exitCode: 0, stdout, stderr: "" });
    expect(result.errors.map(({ code }) => code)).toEqual(["PORTS_EXHAUSTED"]);
    expect(result.errors[0]?.message).toContain("load generator ran out of local ports");
    expect(result.generator.verdict).toBe("saturated");
    expectBalanced(result);
  },
);

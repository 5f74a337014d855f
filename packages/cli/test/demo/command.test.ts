import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

import { explainListenError } from "@bearhug/report/local-server/listen";
import { InvalidInput } from "@bearhug/sdk";
import { afterEach, describe, expect, test } from "vitest";

import { createCommand } from "../../src/commands/start/demo.ts";
import { startDemo } from "../../src/demo/start-demo.ts";

const commandFile = new URL("../../src/commands/start/demo.ts", import.meta.url).href;
const script = `import { createCommand } from ${JSON.stringify(commandFile)}; await createCommand().parseAsync(process.argv.slice(2), { from: "user" });`;
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

function spawnDemo(...options: string[]): { child: ChildProcess; stdout: Readable } {
  const child = spawn(
    process.execPath,
    ["--conditions=bearhug-source", "--input-type=module", "--eval", script, "demo", ...options],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  started.push(child);
  return { child, stdout: child.stdout };
}

describe("bearhug demo, as a process", () => {
  test.each(["SIGINT", "SIGTERM"] as const)(
    "prints one line with its address, serves, and exits cleanly on %s",
    async (signal) => {
      const { child, stdout } = spawnDemo("--listen", "0");
      const lines: string[] = [];
      const reader = createInterface({ input: stdout }).on("line", (line) => lines.push(line));
      await once(reader, "line");
      expect(lines).toEqual([expect.stringMatching(/^bearhug demo on http:\/\/127\.0\.0\.1:\d+$/)]);
      const url = lines[0]!.split(" ").at(-1)!;
      expect((await fetch(url)).status).toBe(200);
      child.kill(signal);
      expect(await once(child, "exit")).toEqual([0, null]);
      expect(lines).toHaveLength(1);
    },
  );
});

describe("bearhug demo, where it cannot listen", () => {
  test("reports a port in use as invalid input, with a remedy", async () => {
    const other = await startDemo({ port: 0, host: "127.0.0.1" });
    const { port } = new URL(other.url);
    const attempt = createCommand().parseAsync(["--listen", port], { from: "user" });
    await expect(attempt).rejects.toThrow(InvalidInput);
    await expect(attempt).rejects.toThrow(
      `Port ${port} of 127.0.0.1 is in use. Choose another with --listen`,
    );
    await other.close();
  });

  test("names a host that is not an address of this machine", async () => {
    const attempt = createCommand().parseAsync(["--listen", "192.0.2.1:8080"], { from: "user" });
    await expect(attempt).rejects.toThrow("192.0.2.1 is not an address of this machine");
  });

  test("suggests a port above 1023 in place of a privileged one", () => {
    const error = Object.assign(new Error("listen EACCES"), { code: "EACCES" });
    expect(explainListenError(error, { port: 80, host: "::1" })).toContain("Choose a port above 1023");
  });

  test.each(["-1", "65536", "80a", "", "1e3"])("refuses %j as a port", async (port) => {
    const command = createCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });
    await expect(command.parseAsync([`--listen=${port}`], { from: "user" })).rejects.toThrow(
      "must be a port",
    );
  });
});

import { mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";

import { serveStdio } from "@modelcontextprotocol/server/stdio";

import { createServer, type ServerOptions } from "./server.ts";

/** Less than the two seconds that agents typically wait between SIGTERM and SIGKILL. */
const graceMs = 1_000;

/**
 * Serves on stdin and stdout until stdin ends or a signal arrives. Then stops the current command and removes
 * the results.
 */
export function serve(
  parts: Omit<ServerOptions, "results" | "kill">,
  warn: (sentence: string) => void,
): void {
  const results = mkdtempSync(join(tmpdir(), "bearhug-mcp-"));
  const kill = new AbortController();
  process.on("exit", () => {
    kill.abort();
    rmSync(results, { recursive: true, force: true });
  });
  const connection = serveStdio(() => createServer({ ...parts, results, kill: kill.signal }), {
    onerror: ({ message }) => {
      if (!message.startsWith("ReadBuffer exceeded maximum size")) return;
      warn("A message on stdin is longer than 10 MB. The server ends.");
      process.exitCode = 1;
    },
  });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.on(signal, () => {
      process.exitCode = 128 + constants.signals[signal];
      void connection.close();
      setTimeout(() => process.exit(), graceMs).unref();
    });
}

import { createServer, type Server } from "node:http";

import { prometheusTextType } from "@bearhug/text/prometheus-text";

import { listProcesses } from "../process/list-processes.ts";
import { machineText, readMachine } from "./read-machine.ts";

export interface ServedMachine {
  /** A process to watch in addition; null for none. */
  readonly pid: number | null;
  /** Returns true if the `authorization` header permits reading. */
  readonly isAuthorized: (authorization: string | undefined) => boolean;
}

/**
 * Creates a server that reports this machine's load to Prometheus or a bearhug run. Reads it only when
 * requested.
 */
export function createMachineServer({ pid, isAuthorized }: ServedMachine): Server {
  return createServer((request, response) => {
    const respond = (status: number, text: string, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers }).end(text);
    };
    // Discard the body of the request.
    request.resume();
    if (!isAuthorized(request.headers.authorization)) {
      respond(401, "This needs the monitor's token.\n", { "www-authenticate": "Bearer" });
      return;
    }
    const path = (request.url ?? "").replace(/\?.*$/s, "");
    if (path !== "/metrics" || !["GET", "HEAD"].includes(request.method ?? "")) {
      respond(404, "This monitor answers GET /metrics.\n");
      return;
    }
    const listed = pid === null ? Promise.resolve([]) : listProcesses(pid, AbortSignal.timeout(2000));
    listed
      .catch(() => [])
      .then((processes) => {
        const headers = { "content-type": prometheusTextType };
        respond(200, machineText(readMachine(processes)), headers);
      })
      .catch((error: unknown) => respond(500, `${String(error)}\n`));
  });
}

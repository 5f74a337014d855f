import { createServer, type Server } from "node:http";

import { prometheusTextType } from "@bearhug/text/prometheus-text";

import { listProcesses } from "../process/list-processes.ts";
import { machineText, readMachine } from "./read-machine.ts";

export interface ServedMachine {
  /** A process to watch besides; null for none. */
  readonly pid: number | null;
  /** Returns true for the `authorization` header of somebody who may read. */
  readonly mayRead: (authorization: string | undefined) => boolean;
}

/** A server that tells Prometheus, or a run of bearhug, of the load of this machine. It reads nothing until it is asked. */
export function createMachineServer({ pid, mayRead }: ServedMachine): Server {
  return createServer((request, response) => {
    const answer = (status: number, text: string, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers }).end(text);
    };
    // The body of a request is of no interest.
    request.resume();
    if (!mayRead(request.headers.authorization)) {
      answer(401, "This needs the monitor's token.\n", { "www-authenticate": "Bearer" });
      return;
    }
    const path = (request.url ?? "").replace(/\?.*$/s, "");
    if (path !== "/metrics" || !["GET", "HEAD"].includes(request.method ?? "")) {
      answer(404, "This monitor answers GET /metrics.\n");
      return;
    }
    const listed = pid === null ? Promise.resolve([]) : listProcesses(pid, AbortSignal.timeout(2000));
    listed
      .catch(() => [])
      .then((processes) => {
        const headers = { "content-type": prometheusTextType };
        answer(200, machineText(readMachine(processes)), headers);
      })
      .catch((error: unknown) => {
        answer(500, `${String(error)}\n`);
      });
  });
}

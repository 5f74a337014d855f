import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

import { errorCode } from "@bearhug/text/caught-error";

/** The address that a local server listens on. */
export interface ListenOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly host: string;
}

/** A server that listens. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** Thousands of virtual users may connect at once. */
const backlog = 4096;

/** Starts to listen. Rejects with the system's error if the server cannot. */
export async function listen(server: Server, { port, host }: ListenOptions): Promise<Listening> {
  server.listen({ port, host, backlog });
  await once(server, "listening");
  const { port: boundPort } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${boundPort}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Returns one sentence on why a server cannot listen there, and what to do about it. */
export function explainListenError(error: unknown, { port, host }: ListenOptions): string {
  const where = `${host}:${port}`;
  const code = errorCode(error) ?? String(error);
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} of ${host} is in use. Choose another with --listen, or --listen 0 for any that is free.`;
    case "EACCES":
      return `Listening on ${where} is not permitted. Choose a port above 1023 with --listen.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `${host} is not an address of this machine (${code}). Choose one with --listen; 127.0.0.1 always works.`;
    default:
      return `Cannot listen on ${where}: ${code}.`;
  }
}

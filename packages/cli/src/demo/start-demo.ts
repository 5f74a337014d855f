import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { handleRequest } from "./handle-request.ts";
import { createRouter } from "./router.ts";
import { createSite } from "./site.ts";

export interface DemoOptions {
  /** 0 takes any port that is free. */
  readonly port: number;
  readonly host: string;
  /** Told of a bug in the site: the client got a 500. */
  readonly onBug?: (error: unknown) => void;
}

export interface Demo {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** Ends every connection at once, idle or not. */
  close(): Promise<void>;
}

/** Longer than load tools leave a connection idle, so that it is never the demo that closes first. */
const keepAliveMs = 75_000;

/** Starts the demo site; rejects with the system's error where it cannot listen. */
export async function startDemo({ port, host, onBug = () => undefined }: DemoOptions): Promise<Demo> {
  const router = createRouter(createSite());
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    handleRequest(router, request, response).catch(onBug);
  });
  server.listen({ port, host, backlog: 4096 });
  await once(server, "listening");
  return { url: urlOf(server, host), close: () => close(server) };
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

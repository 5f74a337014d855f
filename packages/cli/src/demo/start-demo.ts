import { createServer } from "node:http";

import { listen, type Listening, type ListenOptions } from "@bearhug/report/local-server/listen";

import { handleRequest } from "./handle-request.ts";
import { createRouter } from "./router.ts";
import { createSite } from "./site.ts";

export interface DemoOptions extends ListenOptions {
  /** Called for a bug in the site, after the client received a 500. */
  readonly onBug?: (error: unknown) => void;
}

/** Longer than load tools keep a connection idle, so that the demo never closes it first. */
const keepAliveMs = 75_000;

/** Starts the demo site; rejects with the system's error if it cannot listen. */
export async function startDemo({ port, host, onBug = () => undefined }: DemoOptions): Promise<Listening> {
  const router = createRouter(createSite());
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    handleRequest(router, request, response).catch(onBug);
  });
  return listen(server, { port, host });
}

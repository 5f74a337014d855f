import { createServer, type IncomingMessage } from "node:http";

import { listen, type Listening } from "@bearhug/report/local-server/listen";

import { handleRequest } from "../../src/demo/handle-request.ts";
import { createRouter } from "../../src/demo/router.ts";
import { createSite } from "../../src/demo/site.ts";

/** A fresh demo site, with its requests and the status of each response. */
export interface WatchedDemo extends Listening {
  readonly exchanges: readonly WatchedExchange[];
}

export interface WatchedExchange {
  /** Method and path, such as `POST /login`, with long ids replaced by `:id` and without the query. */
  readonly route: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly status: number;
}

export async function watchDemo(): Promise<WatchedDemo> {
  const exchanges: WatchedExchange[] = [];
  const router = createRouter(createSite());
  const server = createServer((request, response) => {
    response.once("finish", () => {
      const { method = "", url = "", headers } = request;
      exchanges.push({ route: routeOf(method, url), url, headers, status: response.statusCode });
    });
    void handleRequest(router, request, response);
  });
  return { ...(await listen(server, { port: 0, host: "127.0.0.1" })), exchanges };
}

function routeOf(method: string, url: string): string {
  return `${method} ${url.replace(/\?.*/, "").replace(/[\w-]{40,}/, ":id")}`;
}

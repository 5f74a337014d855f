import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { buffer } from "node:stream/consumers";

import { startServer } from "../../../../cli/test/end-to-end/test-server.ts";
import { decodeMetrics, type DecodedRequest } from "./decode-metrics.ts";

/** A receiver of OTLP/HTTP that decodes requests with the official definitions. */
export interface Collector {
  readonly url: string;
  /** All requests, including those that it rejected. */
  readonly requests: readonly DecodedRequest[];
  readonly paths: readonly string[];
  readonly headers: readonly IncomingHttpHeaders[];
}

type Respond = (response: ServerResponse, number: number) => void;

export const accept: Respond = (response) => {
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
};

/** Starts a collector. `respond` gets the index of each request. */
export async function startCollector(respond: Respond = accept): Promise<Collector> {
  const [requests, paths, headers]: [DecodedRequest[], string[], IncomingHttpHeaders[]] = [[], [], []];
  const { url } = await startServer((request, response) => {
    void buffer(request).then((body) => {
      const isCompressed = request.headers["content-encoding"] === "gzip";
      requests.push(decodeMetrics((isCompressed ? gunzipSync(body) : body).toString()));
      paths.push(`${request.method ?? ""} ${request.url ?? ""}`);
      headers.push(request.headers);
      respond(response, requests.length - 1);
    });
  });
  return { url, requests, paths, headers };
}

import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { buffer } from "node:stream/consumers";

import { startServer } from "../../../../cli/test/end-to-end/test-server.ts";
import { decodeMetrics, type DecodedRequest } from "./decode-metrics.ts";

/** A receiver of OTLP/HTTP that decodes what it is sent by the official definitions. */
export interface Collector {
  readonly url: string;
  /** Every request, those that it refused included. */
  readonly requests: readonly DecodedRequest[];
  readonly paths: readonly string[];
  readonly headers: readonly IncomingHttpHeaders[];
}

type Answer = (response: ServerResponse, number: number) => void;

export const accept: Answer = (response) => {
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
};

/** `answer` is given the number of the request, from 0. */
export async function startCollector(answer: Answer = accept): Promise<Collector> {
  const [requests, paths, headers]: [DecodedRequest[], string[], IncomingHttpHeaders[]] = [[], [], []];
  const { url } = await startServer((request, response) => {
    void buffer(request).then((body) => {
      const isCompressed = request.headers["content-encoding"] === "gzip";
      requests.push(decodeMetrics((isCompressed ? gunzipSync(body) : body).toString()));
      paths.push(`${request.method ?? ""} ${request.url ?? ""}`);
      headers.push(request.headers);
      answer(response, requests.length - 1);
    });
  });
  return { url, requests, paths, headers };
}

// The yardstick of bearhug's undici transport: clients of undici that dispatch requests and nothing else,
// over HTTP/2 if each has several streams: node bench/bare-dispatch.ts <url> <connections> <streams> <seconds>
import { Client, type Dispatcher } from "undici";

const [address = "", ...counts] = process.argv.slice(2);
const [connections = 0, streams = 0, seconds = 0] = counts.map(Number);
const { origin, pathname } = new URL(address);
const request = { method: "GET", path: pathname, headers: { "user-agent": "bearhug-bench" } } as const;

for (let index = 0; index < connections; index++) {
  const client = new Client(origin, {
    pipelining: streams,
    allowH2: streams > 1,
    h2Options: { maxConcurrentStreams: streams },
    keepAliveTimeout: 600_000,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { rejectUnauthorized: false },
  });
  for (let stream = 0; stream < streams; stream++) keepRequesting(client);
}
setTimeout(() => process.exit(), seconds * 1000);

function keepRequesting(client: Client): void {
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: () => undefined,
    onResponseStart(_controller, status) {
      if (status !== 200) throw new Error(`status ${status}`);
    },
    onResponseData: () => undefined,
    onResponseEnd() {
      client.dispatch(request, handler);
    },
    onResponseError(_controller, error) {
      throw error;
    },
  };
  client.dispatch(request, handler);
}

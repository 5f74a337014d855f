// The yardsticks of bearhug's undici transport and of `http.fetch`: undici and nothing else, over HTTP/2 if a
// connection has several streams. `dispatch` uses clients, `fetch` an agent:
// node bench/bare-undici.ts <dispatch|fetch> <url> <connections> <streams> <seconds>
import { Agent, Client, fetch, type Dispatcher } from "undici";

const [way = "", url = "", ...counts] = process.argv.slice(2);
const [connections = 0, streams = 0, seconds = 0] = counts.map(Number);
const { origin, pathname } = new URL(url);
const options = {
  pipelining: streams,
  allowH2: streams > 1,
  h2Options: { maxConcurrentStreams: streams },
  keepAliveTimeout: 600_000,
  headersTimeout: 0,
  bodyTimeout: 0,
  connect: { rejectUnauthorized: false },
};

if (way === "fetch") {
  const agent = new Agent({ ...options, connections });
  for (let index = 0; index < connections * streams; index++) void keepFetching(agent);
} else
  for (let index = 0; index < connections; index++) {
    const client = new Client(origin, options);
    for (let stream = 0; stream < streams; stream++) keepDispatching(client);
  }
setTimeout(() => process.exit(), seconds * 1000);

async function keepFetching(dispatcher: Agent): Promise<never> {
  for (;;) {
    const response = await fetch(url, { dispatcher });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`status ${response.status}: ${text}`);
  }
}

function keepDispatching(client: Client): void {
  const request = { method: "GET", path: pathname, headers: { "user-agent": "bearhug-bench" } } as const;
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

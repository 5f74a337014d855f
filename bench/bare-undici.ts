// The yardstick of request-path.ts: undici's `dispatch` and nothing else. Prints the CPU, in microseconds, of this process
// from its `warmup`-th request to its `warmup + requests`-th: node bench/bare-undici.ts <url> <connections> <warmup> <requests>
import { Client, type Dispatcher } from "undici";

const [url = "", ...counts] = process.argv.slice(2);
const [connections = 0, warmup = 0, requests = 0] = counts.map(Number);

const options: Dispatcher.DispatchOptions = Object.freeze({
  method: "GET",
  path: "/",
  headers: ["user-agent", "bearhug-bench"],
});
const clients = Array.from(
  { length: connections },
  () =>
    new Client(url, {
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: 600_000,
      headersTimeout: 0,
      bodyTimeout: 0,
    }),
);

let begun = 0;
let before = process.cpuUsage();
for (const client of clients) {
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: () => undefined,
    onResponseStart: () => undefined,
    onResponseData: () => undefined,
    onResponseEnd: () => next(client, handler),
    onResponseError: (_controller, error) => {
      throw error;
    },
  };
  next(client, handler);
}

function next(client: Client, handler: Dispatcher.DispatchHandler): void {
  const index = begun++;
  if (index === warmup) before = process.cpuUsage();
  if (index === warmup + requests) {
    const { user, system } = process.cpuUsage(before);
    console.log(user + system);
    process.exit();
  }
  client.dispatch(options, handler);
}

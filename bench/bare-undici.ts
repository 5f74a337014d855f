// The yardstick of fetch-cost.ts: undici and nothing else. Prints the CPU, in microseconds, of this process
// from its `warmup`-th request to its `warmup + requests`-th:
// node bench/bare-undici.ts <request|fetch> <url> <connections> <warmup> <requests>
import { Agent, Client, fetch } from "undici";

const [way = "", url = "", ...counts] = process.argv.slice(2);
const [connections = 0, warmup = 0, requests = 0] = counts.map(Number);

const limits = {
  pipelining: 1,
  allowH2: false,
  keepAliveTimeout: 600_000,
  headersTimeout: 0,
  bodyTimeout: 0,
};

let begun = 0;
let before = process.cpuUsage();

if (way === "fetch") {
  const dispatcher = new Agent({ ...limits, connections });
  for (let index = 0; index < connections; index++) void keepFetching(dispatcher);
} else {
  for (let index = 0; index < connections; index++) void keepRequesting(new Client(url, limits));
}

/** Called before each request. */
function count(): void {
  const index = begun++;
  if (index === warmup) before = process.cpuUsage();
  if (index === warmup + requests) {
    const { user, system } = process.cpuUsage(before);
    console.log(user + system);
    process.exit();
  }
}

async function keepFetching(dispatcher: Agent): Promise<never> {
  for (;;) {
    count();
    const response = await fetch(`${url}/`, { dispatcher });
    judge(response.status, await response.text());
  }
}

async function keepRequesting(client: Client): Promise<never> {
  for (;;) {
    count();
    const { statusCode, body } = await client.request({ method: "GET", path: "/" });
    judge(statusCode, await body.text());
  }
}

function judge(status: number, text: string): void {
  if (status !== 200 || text !== "hello\n") throw new Error(`status ${status}: ${text}`);
}

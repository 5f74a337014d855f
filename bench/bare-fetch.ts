// The yardstick of `http.fetch`: undici's `fetch` and nothing else, over HTTP/2 if a connection has several
// streams: node bench/bare-fetch.ts <url> <connections> <streams> <seconds>
import { Agent, fetch } from "undici";

const [url = "", ...counts] = process.argv.slice(2);
const [connections = 0, streams = 0, seconds = 0] = counts.map(Number);
const dispatcher = new Agent({
  connections,
  pipelining: streams,
  allowH2: streams > 1,
  h2Options: { maxConcurrentStreams: streams },
  keepAliveTimeout: 600_000,
  headersTimeout: 0,
  bodyTimeout: 0,
  connect: { rejectUnauthorized: false },
});

for (let index = 0; index < connections * streams; index++) void keepFetching();
setTimeout(() => process.exit(), seconds * 1000);

async function keepFetching(): Promise<never> {
  for (;;) {
    const response = await fetch(url, { dispatcher });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`status ${response.status}: ${text}`);
  }
}

import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

import { expect, onTestFinished, test } from "vitest";

import { goaway, headers, settings, settingsAck } from "../../../http/test/http2/raw-frames.ts";
import { startRawHttp2Server, type Http2Script } from "../../../http/test/http2/raw-http2-server.ts";
import { expectBalanced } from "./expect-balanced.ts";
import { runForResult, writeTest } from "./run-bearhug.ts";

const greeting = [settings(), settingsAck()];

/** Servers that accept connections and never end a response. */
const hanging: Readonly<Record<string, Http2Script>> = {
  "sends nothing": { greeting: [] },
  "sends SETTINGS alone": { greeting: [settings()] },
  "sends no response": { greeting },
  "allows no stream": { greeting: [settings({ maxConcurrentStreams: 0 }), settingsAck()] },
  "gives no window": { greeting: [settings({ initialWindowSize: 0 }), settingsAck()] },
  "sends a head alone": {
    greeting,
    answer: (stream) => [
      headers(stream, [
        [":status", "200"],
        ["content-length", "9"],
      ]),
    ],
  },
  "sends GOAWAY and then nothing": { greeting, answer: (stream) => [goaway(stream, "NO_ERROR")] },
};

async function startWithoutHandshake(): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a run against HTTP/2 servers that hang ends in time, and every request has failed", async () => {
  const ways = await Promise.all(
    Object.entries(hanging).map(async ([name, script]) => {
      const { host, port } = await startRawHttp2Server(script);
      return { name, url: `http://${host}:${port}`, protocol: "h2c" };
    }),
  );
  const targets = [
    ...ways,
    { name: "ends no handshake", url: await startWithoutHandshake(), protocol: "http2" },
  ];
  const scenarios = targets.flatMap(({ name, url, protocol }) =>
    ["bearhug", "undici"].map(
      (transport) => `${JSON.stringify(`${transport}: ${name}`)}: {
  executor: "constant-vus", vus: 1, duration: "1s", gracefulStop: "1500ms", http: ${JSON.stringify({ protocol, transport })},
  exec: ({ http }) => http.post("${url}/", { name: ${JSON.stringify(`${transport}: ${name}`)}, body: "a body" }),
}`,
    ),
  );
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({ allowHosts: ${JSON.stringify(targets.map(({ url }) => new URL(url).host))},
scenarios: { ${scenarios.join(",\n")} } });`);
  const { exitCode, result } = await runForResult(["run", file, "--workers", "2"]);
  expect(exitCode).toBe(99);
  expectBalanced(result);
  const outcomes = result.errors.map(({ name, code, count }) => ({ name, code, count }));
  expect(outcomes.toSorted((one, other) => one.name.localeCompare(other.name))).toEqual(
    targets
      .flatMap(({ name }) => ["bearhug", "undici"].map((transport) => `${transport}: ${name}`))
      .toSorted((one, other) => one.localeCompare(other))
      .map((name) => ({ name, code: "UNANSWERED", count: 1 })),
  );
  expect(result.durationMs).toBeLessThan(20_000);
});

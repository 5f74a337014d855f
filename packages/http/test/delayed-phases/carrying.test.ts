import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { describe, expect, test } from "vitest";

import { startClient, type TestClient } from "../start-client.ts";
import { delaysMs, exactly, expectDelays, expectToAddUp, type Sample } from "./expect-delays.ts";
import { startLateServer, startSlowHttp2Reader, startSlowReader } from "./start-late-server.ts";

const uploadBytes = 16 * 1024 * 1024;

function client(url: string, protocol: "http1" | "h2c" = "http1"): TestClient {
  return startClient(url, [], [], { ...defaultHttp, protocol });
}

describe.each(["http1", "h2c"] as const)("over %s", (protocol) => {
  test.each([
    { path: "first-byte", phase: "waiting" },
    { path: "body", phase: "receiving" },
  ] as const)("a delay of the $path counts as $phase", async ({ path, phase }) => {
    const server = await startLateServer(protocol);
    const { another } = client(server.url, protocol);
    await expectDelays(async (delayMs) => {
      const { error, timings } = await another().http.get(`/${path}/${delayMs}`);
      expect(error).toBeNull();
      return { timings, wanted: { [phase]: exactly(server.tookMs.get(delayMs)) } };
    });
  });

  test("the time in which a server does not read counts as sending, until the system has taken all bytes", async () => {
    const body = Buffer.alloc(protocol === "http1" ? uploadBytes : uploadBytes / 16);
    const readers = new Map(
      await Promise.all(
        delaysMs.map(async (delayMs) => {
          const reader =
            protocol === "http1"
              ? await startSlowReader(delayMs, uploadBytes)
              : await startSlowHttp2Reader(delayMs);
          return [delayMs, { reader, client: client(reader.url, protocol) }] as const;
        }),
      ),
    );
    await expectDelays(async (delayMs): Promise<Sample> => {
      const { reader, client } = readers.get(delayMs)!;
      const { error, timings } = await client.another().http.post("/", { body });
      expect(error).toBeNull();
      const [firstMs, lastMs] = reader.readMs();
      // The system takes the last bytes before the server reads them.
      return { timings, wanted: { sending: [firstMs, lastMs], waiting: [0, lastMs - firstMs] } };
    });
  });
});

test("a request that waits for one of six connections is blocked for that time, and opens none", async () => {
  const server = await startLateServer("http1");
  const { another } = client(server.url);
  await expectDelays(async (delayMs) => {
    const { http } = another();
    const calledAt = performance.now();
    let freeMs = Number.NaN;
    const six = Array.from({ length: 6 }, async () => {
      await http.get(`/first-byte/${delayMs}`);
      // The first response frees a connection; the others come later.
      if (Number.isNaN(freeMs)) freeMs = performance.now() - calledAt;
    });
    const { timings } = await http.get("/first-byte/0");
    await Promise.all(six);
    return { timings, wanted: { queueing: exactly(freeMs), waiting: exactly(server.tookMs.get(0)) } };
  });
});

test.each(["http1", "h2c"] as const)(
  "a connection is opened in its first request alone: %s",
  async (protocol) => {
    const server = await startLateServer(protocol);
    const { http, metric } = client(server.url.replace("127.0.0.1", "localhost"), protocol);
    const all = [];
    for (let count = 0; count < 4; count++) all.push(await http.get("/first-byte/1"));
    for (const { timings } of all) expectToAddUp(timings);
    const [first, ...reused] = all.map(({ timings }) => timings);
    expect(first?.connecting).toBeGreaterThan(0);
    expect(first?.lookingUp).toBeGreaterThan(0);
    for (const timings of reused)
      expect(timings).toMatchObject({ lookingUp: 0, connecting: 0, tlsHandshaking: 0 });
    // Requests that opened nothing are recorded with 0.
    expect(metric("http_req_connecting")).toMatchObject({ count: 4, min: 0 });
  },
);

import { expect, test } from "vitest";

import { startHttp2Server } from "./http2-server.ts";
import { openHttp2 } from "./open-http2.ts";

test("after its last request a connection takes no more, and closes when all have ended", async () => {
  const server = await startHttp2Server((response) => response.end());
  const { send, transport, reported, raw } = await openHttp2(server.port, { maxRequests: 2 });
  await send().over;
  const last = send();
  expect(transport.room).toBe(0);
  await last.over;
  expect(last.calls.at(-1)).toBe("end");
  expect(reported.at(-1)).toBe("gone 0");
  await expect.poll(() => raw.destroyed).toBe(true);
});

test("closing fails open requests and leaves nothing open", async () => {
  const server = await startHttp2Server(() => {});
  const { send, transport, reported, raw } = await openHttp2(server.port);
  const waiting = send();
  await expect.poll(() => server.heads.length).toBe(1);
  transport.close();
  expect(waiting.calls.at(-1)).toBe("failure");
  expect(await waiting.failure()).toMatchObject({ kind: "closed" });
  expect(reported.at(-1)).toBe("gone 0");
  expect(raw.destroyed).toBe(true);
  const afterwards = send();
  expect(await afterwards.failure()).toMatchObject({ kind: "closed", isUnprocessed: true });
});

test("a listener may close the connection from any of its events", async () => {
  const server = await startHttp2Server((response) => response.end("x".repeat(100_000)));
  for (const event of ["onFirstByte", "onHead", "onBody", "onEnd"] as const) {
    const { send, transport, request } = await openHttp2(server.port);
    await send().over;
    const others = [send(), send()];
    const recording = send();
    transport.cancel(recording, false);
    const closing = send();
    const original = closing[event].bind(closing);
    closing[event] = (...given: unknown[]): void => {
      Reflect.apply(original, closing, given);
      transport.close();
    };
    await Promise.all([closing.over, ...others.map(({ over }) => over)]);
    expect(transport.room).toBe(0);
    expect(request().method).toBe("GET");
  }
});

test("an idle connection that the server closes is gone", async () => {
  const server = await startHttp2Server((response) => {
    response.end();
    response.stream.session?.close();
  });
  const { send, transport, reported } = await openHttp2(server.port);
  await send().over;
  await expect.poll(() => reported.at(-1)).toBe("gone 0");
  expect(transport.room).toBe(0);
});

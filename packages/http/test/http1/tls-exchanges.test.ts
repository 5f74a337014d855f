import { setTimeout as delay } from "node:timers/promises";

import { describe, expect, test, vi } from "vitest";

import { eventually } from "../../../cli/test/eventually.ts";
import { hasOpenssl, makeCertificate } from "../make-certificate.ts";
import { openHttp1, Recording } from "./open-http1.ts";

const answer = (body: string): string => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

describe.skipIf(!hasOpenssl).each([
  ["on a new socket", false],
  ["on an open socket", true],
] as const)("over TLS %s (needs openssl to make certificates)", (_way, isLayered) => {
  const certificate = hasOpenssl ? makeCertificate("IP:127.0.0.1,DNS:localhost") : { key: "", cert: "" };

  test("a connection carries one request after the other", async () => {
    const { transport, peer, send, reported } = await openHttp1({ isLayered, certificate });
    peer.on("data", () => peer.write(answer("x".repeat(100_000))));
    for (let time = 0; time < 3; time++) {
      const recording = send();
      await recording.over;
      expect(recording.body).toHaveLength(100_000);
    }
    expect([transport.room, reported]).toEqual([1, []]);
  });

  test.each([
    ["without a body", {}],
    ["with a small body", { method: "POST", body: Buffer.alloc(2_000) }],
  ])("a request %s is sent when it is written, even if Node reports it later", async (_what, request) => {
    const { peer, send } = await openHttp1({ isLayered, certificate });
    peer.on("data", () => peer.write(answer("ok")));
    for (let time = 0; time < 3; time++) {
      const recording = send(request);
      expect(recording.calls).toEqual(["start", "sent"]);
      await recording.over;
    }
  });

  test("a small body goes with its head in one record", async () => {
    const { transport, peer, send, receivedText } = await openHttp1({ isLayered, certificate });
    peer.on("data", () => peer.write(answer("ok")));
    // TLS 1.3 adds five bytes before the text of a record; after it, the content type and a tag of 16 bytes.
    const recordBytes = 22;
    transport.takeBytes();
    await send({ method: "POST", body: Buffer.alloc(2_000) }).over;
    expect(transport.takeBytes().sent).toBe(receivedText().length + recordBytes);
  });

  test("a response that was paused arrives whole when it is resumed", async () => {
    const { transport, peer, send } = await openHttp1({ isLayered, certificate });
    const body = "0123456789".repeat(200_000);
    peer.once("data", () => peer.write(answer(body)));
    const recording: Recording = new Recording((call) => {
      if (call === "head") transport.pause(recording);
    });
    send({}, recording);
    await eventually(() => expect(recording.calls).toContain("head"));
    await delay(30);
    const before = recording.body.length;
    await delay(30);
    expect(recording.body).toHaveLength(before);
    expect(before).toBeLessThan(body.length);
    transport.resume(recording);
    await recording.over;
    expect(recording.body).toBe(body);
  });

  test("a large body counts as sent before its response is read, and its connection is kept", async () => {
    const large = Buffer.alloc(200_000);
    const { peer, send, receivedText, reported } = await openHttp1({ isLayered, certificate });
    let responded = 0;
    peer.on("data", () => {
      if (receivedText().length < (responded + 1) * large.length) return;
      responded++;
      peer.write(answer("ok"));
    });
    for (let time = 0; time < 20; time++) {
      const recording = send({ method: "POST", body: large });
      await recording.over;
      expect(recording.calls).toEqual(["start", "sent", "first byte", "head", "body", "end"]);
    }
    expect(reported).toEqual([]);
  });

  test("a body without a length lasts until the server has ended its half", async () => {
    const { peer, send, reported } = await openHttp1({ isLayered, certificate });
    peer.once("data", () => peer.end("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nuntil the end"));
    const recording = send();
    await recording.over;
    expect([recording.body, recording.calls.at(-1), reported]).toEqual(["until the end", "end", ["gone"]]);
  });

  test("a connection that ends within a body of known length is a failure", async () => {
    const { peer, send } = await openHttp1({ isLayered, certificate });
    peer.once("data", () => peer.end(answer("ok").slice(0, -1)));
    const recording = send();
    await recording.over;
    expect(recording.error).toMatchObject({ info: { kind: "closed" } });
  });

  test("a large body arrives whole", async () => {
    const large = Buffer.alloc(5_000_000, "0123456789");
    const { peer, send, receivedText } = await openHttp1({ isLayered, certificate });
    const recording = send({ method: "POST", body: large });
    await vi.waitFor(
      () => {
        expect(receivedText().length).toBeGreaterThan(large.length);
      },
      { timeout: 10_000 },
    );
    peer.write(answer("ok"));
    await recording.over;
    expect(recording.calls).toEqual(["start", "sent", "first byte", "head", "body", "end"]);
    expect(receivedText().endsWith(large.toString("latin1"))).toBe(true);
  });
});

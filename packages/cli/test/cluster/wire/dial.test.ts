import { once } from "node:events";
import { request } from "node:http";

import { describe, expect, onTestFinished, test } from "vitest";

import { makeCertificate } from "../../../src/cluster/wire/certificate.ts";
import { mostFromAgentBytes, type Connection } from "../../../src/cluster/wire/connection.ts";
import { dialCoordinator } from "../../../src/cluster/wire/dial.ts";
import { listenForAgents } from "../../../src/cluster/wire/listen.ts";
import { isLoopback } from "../../../src/cluster/wire/loopback.ts";
import { showToken } from "../../../src/cluster/wire/token.ts";

const token = "the token of these tests";

interface Started {
  readonly url: URL;
  readonly fingerprint: string | null;
  /** Everything that agents said, and "closed". */
  readonly said: string[];
}

/** A coordinator that answers each text with itself, and bytes with the number of them. */
async function start(isSecure: boolean): Promise<Started> {
  const said: string[] = [];
  const certificate = isSecure ? await makeCertificate() : null;
  const listening = await listenForAgents({
    ...{ host: "127.0.0.1", port: 0, token, tls: certificate },
    accept: (open) => ({
      onText: (text) => {
        said.push(text);
        open().send({ echo: text });
      },
      onBytes: (bytes) => {
        open().send({ bytes: bytes.length });
      },
      onClose: () => said.push("closed"),
    }),
  });
  onTestFinished(() => listening.close());
  const url = new URL(`${isSecure ? "wss" : "ws"}://127.0.0.1:${listening.port}`);
  return { url, fingerprint: certificate?.fingerprint ?? null, said };
}

async function dial(
  { url, fingerprint }: Pick<Started, "url" | "fingerprint">,
  shown = token,
): Promise<{ connection: Connection; heard: string[]; closed: Promise<void> }> {
  const heard: string[] = [];
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const connection = await dialCoordinator(
    { url, token: shown, fingerprint },
    {
      onText: (text) => heard.push(text),
      onBytes: () => undefined,
      onClose: () => {
        close();
      },
    },
  );
  return { connection, heard, closed };
}

test.for([
  ["ws", false],
  ["wss, with a certificate that is pinned", true],
] as const)("an agent and its coordinator talk over %s", async ([, isSecure]) => {
  const started = await start(isSecure);
  const { connection, heard, closed } = await dial(started);
  connection.send({ hello: 1 });
  await connection.sendBytes(Buffer.alloc(300_000));
  await expect.poll(() => heard).toEqual(['{"echo":"{\\"hello\\":1}"}', '{"bytes":300000}']);
  connection.close();
  await closed;
  await expect.poll(() => started.said).toEqual(['{"hello":1}', "closed"]);
});

test("a frame larger than any message of an agent ends its connection", async () => {
  const started = await start(false);
  const { connection, heard, closed } = await dial(started);
  await connection.sendBytes(Buffer.alloc(mostFromAgentBytes)).catch(() => undefined);
  await expect.poll(() => heard).toEqual([`{"bytes":${mostFromAgentBytes}}`]);
  await connection.sendBytes(Buffer.alloc(mostFromAgentBytes + 1)).catch(() => undefined);
  await closed;
  expect(heard).toHaveLength(1);
  await expect.poll(() => started.said).toEqual(["closed"]);
});

describe("an agent is refused with one sentence", () => {
  test("for another token", async () => {
    const started = await start(false);
    await expect(dial(started, "another token")).rejects.toThrow("The coordinator has another token.");
    expect(started.said).toEqual([]);
  });

  test("for another version", async () => {
    const { url } = await start(false);
    const headers = {
      ...{ connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" },
      ...{ "sec-websocket-key": "MDEyMzQ1Njc4OWFiY2RlZg==", authorization: showToken(token) },
      "bearhug-version": "0.0.1",
    };
    const sent = request(url.href.replace("ws:", "http:"), { headers }).end();
    const [response] = (await once(sent, "response")) as [AsyncIterable<Buffer> & { statusCode: number }];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    expect(response.statusCode).toBe(409);
    expect(Buffer.concat(chunks).toString()).toMatch(
      /^The coordinator runs bearhug \d.*, and this agent 0\.0\.1\. Install the same version\.$/,
    );
  });
});

describe("an agent does not show its token", () => {
  test("to a coordinator with another certificate", async () => {
    const { url, said } = await start(true);
    const { fingerprint } = await makeCertificate();
    await expect(dial({ url, fingerprint })).rejects.toThrow("this is another machine");
    expect(said).toEqual([]);
  });

  test("to one with a certificate that nobody signed, without a fingerprint", async () => {
    const { url } = await start(true);
    await expect(dial({ url, fingerprint: null })).rejects.toThrow(
      "The coordinator has a self-signed certificate. Add --fingerprint, as the coordinator prints it.",
    );
  });
});

test("an agent that expects TLS where there is none is told so, without OpenSSL's words", async () => {
  const { url } = await start(false);
  const secure = new URL(url.href.replace("ws:", "wss:"));
  await expect(dial({ url: secure, fingerprint: null })).rejects.toThrow(
    /^it does not speak TLS; join at the address that the coordinator prints$/,
  );
});

test("a visitor with a browser is told what this is", async () => {
  const { url } = await start(false);
  const response = await fetch(url.href.replace("ws:", "http:"));
  expect([response.status, await response.text()]).toEqual([426, "This is a coordinator of bearhug.\n"]);
});

test.for([
  ["127.0.0.1", true],
  ["127.3.2.1", true],
  ["[::1]", true],
  ["localhost", true],
  ["0.0.0.0", false],
  ["10.0.0.5", false],
  ["localhost.example", false],
] as const)("%s is on this machine alone: %s", ([host, expected]) => {
  expect(isLoopback(host)).toBe(expected);
});

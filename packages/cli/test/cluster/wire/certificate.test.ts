import { createPrivateKey, X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:tls";

import { expect, test } from "vitest";

import { makeCertificate } from "../../../src/cluster/wire/certificate.ts";
import { fingerprintOf } from "../../../src/cluster/wire/fingerprint.ts";

const dayMs = 86_400_000;

test("the certificate is valid, signed by its own key and known by its fingerprint", async () => {
  const { cert, key, fingerprint } = await makeCertificate();
  const read = new X509Certificate(cert);
  expect(read.verify(read.publicKey)).toBe(true);
  expect(read.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(read.fingerprint256.replaceAll(":", "").toLowerCase()).toBe(fingerprint);
  expect([read.subject, read.issuer]).toEqual(["CN=bearhug", "CN=bearhug"]);
  expect(fingerprintOf(cert)).toBe(fingerprint);
  expect(Date.parse(read.validTo) - Date.parse(read.validFrom)).toBe(31 * dayMs);
  expect(Date.parse(read.validFrom)).toBeLessThan(Date.now() - dayMs / 2);
});

test("no two are alike", async () => {
  const [one, other] = [await makeCertificate(), await makeCertificate()];
  expect(one.fingerprint).not.toBe(other.fingerprint);
});

test("a server with it speaks TLS 1.3 to a client that trusts it", async () => {
  const now = await makeCertificate();
  const server = createServer({ cert: now.cert, key: now.key }, (socket) => socket.end("hello"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const trusting = { ca: now.cert, servername: "bearhug", checkServerIdentity: () => undefined };
  const socket = connect({ host: "127.0.0.1", port, ...trusting });
  const said: string[] = [];
  socket.on("data", (bytes: Buffer) => said.push(bytes.toString()));
  await once(socket, "close");
  server.close();
  expect(said.join("")).toBe("hello");
  expect(socket.authorized).toBe(true);
});

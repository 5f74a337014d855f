import type { Socket } from "node:net";
import type { TlsOptions } from "node:tls";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedTls } from "@bearhug/plan/http-options/tls";
import type { KnownHttpErrorCode } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { tlsErrorsByCause } from "../../src/failures/tls-failed.ts";
import { hasOpenssl, makeCertificate } from "../make-certificate.ts";
import { makeAuthority } from "./certificate-authority.ts";
import { expectNothingOpen, startDialer } from "./start-dialer.ts";
import { startListener } from "./start-listener.ts";
import { startTlsServer } from "./start-tls-server.ts";

const authority = hasOpenssl ? makeAuthority() : null;
const ours = authority?.cert ?? "";
const good = authority?.issue() ?? {};
const below = authority?.issueAuthority();
const behind = below?.issue();
const stranger = hasOpenssl ? makeAuthority("a stranger") : null;
const client = authority?.issue({ altName: "DNS:me" }) ?? null;

interface Case {
  readonly what: string;
  readonly server: () => TlsOptions;
  readonly tls?: Partial<ValidatedTls>;
  readonly cause: string;
  readonly code: KnownHttpErrorCode;
  readonly says?: string;
}

const old = "DEFAULT@SECLEVEL=0";
const requiresClient: TlsOptions = { ...good, requestCert: true, rejectUnauthorized: true, ca: ours };

const cases: readonly Case[] = [
  {
    what: "a certificate that has expired",
    server: () => authority!.issue({ validity: "expired" }),
    cause: "CERT_HAS_EXPIRED",
    code: "TLS_CERT_EXPIRED",
  },
  {
    what: "a certificate that is not valid yet",
    server: () => authority!.issue({ validity: "future" }),
    cause: "CERT_NOT_YET_VALID",
    code: "TLS_CERT_NOT_YET_VALID",
  },
  {
    what: "a self-signed certificate",
    server: () => makeCertificate("IP:127.0.0.1"),
    cause: "DEPTH_ZERO_SELF_SIGNED_CERT",
    code: "TLS_CERT_SELF_SIGNED",
  },
  {
    what: "a chain that ends in an unknown authority",
    server: () => {
      const { key, cert } = stranger!.issue();
      return { key, cert: cert + stranger!.cert };
    },
    cause: "SELF_SIGNED_CERT_IN_CHAIN",
    code: "TLS_CERT_SELF_SIGNED",
  },
  {
    what: "an unknown issuer",
    server: () => stranger!.issue(),
    cause: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    code: "TLS_CERT_UNKNOWN_CA",
  },
  {
    what: "a chain without its intermediate certificate",
    server: () => behind!,
    cause: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    code: "TLS_CERT_UNKNOWN_CA",
  },
  {
    what: "a chain whose root is missing",
    server: () => {
      const middle = stranger!.issueAuthority();
      const { key, cert } = middle.issue();
      return { key, cert: cert + middle.cert };
    },
    cause: "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    code: "TLS_CERT_UNKNOWN_CA",
  },
  {
    what: "a certificate for another host",
    server: () => authority!.issue({ altName: "DNS:elsewhere.example,DNS:other.example" }),
    cause: "ERR_TLS_CERT_ALTNAME_INVALID",
    code: "TLS_CERT_WRONG_HOST",
    says: "the certificate is not for 127.0.0.1, but for DNS:elsewhere.example, DNS:other.example",
  },
  {
    what: "a server name that is not in the certificate",
    server: () => good,
    tls: { serverName: "shop.example" },
    cause: "ERR_TLS_CERT_ALTNAME_INVALID",
    code: "TLS_CERT_WRONG_HOST",
    says: "the certificate is not for shop.example, but for IP Address:127.0.0.1, DNS:localhost",
  },
  {
    what: "a certificate that is not for servers",
    server: () => authority!.issue({ extension: "extendedKeyUsage=clientAuth" }),
    cause: "INVALID_PURPOSE",
    code: "TLS_CERT_REJECTED",
  },
  {
    what: "a certificate with a weak digest",
    server: () => authority!.issue({ digest: "sha1" }),
    cause: "UNSPECIFIED",
    code: "TLS_CERT_REJECTED",
  },
  {
    what: "a server that is too old",
    server: () => ({ ...good, minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: old }),
    cause: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
    code: "TLS_VERSION_MISMATCH",
    says: "tlsv1 alert protocol version",
  },
  {
    what: "a server that is too new",
    server: () => ({ ...good, minVersion: "TLSv1.3" }),
    tls: { maxVersion: "1.2" },
    cause: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
    code: "TLS_VERSION_MISMATCH",
  },
  {
    what: "old versions with a security level that forbids them",
    server: () => good,
    tls: { minVersion: "1.0", maxVersion: "1.1", ciphers: "DEFAULT" },
    cause: "ERR_SSL_NO_PROTOCOLS_AVAILABLE",
    code: "TLS_VERSION_MISMATCH",
  },
  {
    what: "no cipher in common",
    server: () => ({ ...good, maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES256-GCM-SHA384" }),
    tls: { ciphers: "ECDHE-ECDSA-AES128-GCM-SHA256", maxVersion: "1.2" },
    cause: "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE",
    code: "TLS_CIPHER_MISMATCH",
    says: "ssl/tls alert handshake failure",
  },
  {
    what: "no cipher of TLS 1.3 in common",
    server: () => ({ ...good, minVersion: "TLSv1.3", ciphers: "TLS_AES_256_GCM_SHA384" }),
    tls: { ciphers: "TLS_AES_128_GCM_SHA256", minVersion: "1.3" },
    cause: "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE",
    code: "TLS_CIPHER_MISMATCH",
  },
  {
    what: "no protocol in common",
    server: () => ({ ...good, ALPNProtocols: ["http/0.9"] }),
    cause: "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL",
    code: "TLS_ALPN_MISMATCH",
  },
  {
    what: "TLS 1.2 without the required client certificate",
    server: () => ({ ...requiresClient, maxVersion: "TLSv1.2" }),
    cause: "BEARHUG_TLS_CLIENT_REFUSED",
    code: "TLS_CLIENT_CERT_REQUIRED",
  },
  {
    what: "TLS 1.3 without the required client certificate",
    server: () => ({ ...requiresClient, minVersion: "TLSv1.3" }),
    cause: "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED",
    code: "TLS_CLIENT_CERT_REQUIRED",
  },
];

describe.skipIf(!hasOpenssl)("Node's names of TLS errors (needs openssl to make certificates)", () => {
  test.each(cases)("$what: $cause, which is $code", async ({ server, tls, cause, code, says }) => {
    const { url } = await startTlsServer(server());
    expect(tlsErrorsByCause.get(cause)?.code).toBe(code);
    for (const reads of ["shared", "own"] as const) {
      const { open, opened } = startDialer({ reads, tls: { ...defaultHttp.tls, ca: [ours], ...tls } });
      const { error, socket, opening } = await open(url);
      // A TLS 1.3 server verifies the client's certificate after the handshake.
      const late = socket === null ? null : await firstError(socket);
      expect(error ?? late).toMatchObject({ code: cause });
      if (says !== undefined) expect(error?.message).toBe(says);
      expect(opening.phase).toBe("tlsHandshaking");
      expect(opened()).toBe(1);
      await expectNothingOpen();
    }
  });

  test("a client connects if it does not verify certificates, or trusts their root", async () => {
    const self = makeCertificate("DNS:elsewhere.example", true);
    const { url } = await startTlsServer(self);
    const { open } = startDialer({ tls: { ...defaultHttp.tls, insecureSkipTlsVerify: true } });
    expect((await open(url)).error).toBeNull();
    const chained = { key: behind!.key, cert: behind!.cert + below!.cert };
    const server = await startTlsServer(chained);
    const trusting = startDialer({ tls: { ...defaultHttp.tls, ca: [`${stranger!.cert}\n${ours}`] } });
    expect((await trusting.open(server.url)).error).toBeNull();
  });

  test.each(["1.2", "1.3"] as const)(
    "a server with TLS %s accepts a client's certificate",
    async (version) => {
      const { url, handshakes } = await startTlsServer(requiresClient);
      const tls = { ...defaultHttp.tls, ca: [ours], ...client!, minVersion: version, maxVersion: version };
      const { firstBytes } = await startDialer({ tls }).open(url);
      expect(await firstBytes()).toBe("hi");
      expect(handshakes).toHaveLength(1);
    },
  );

  test("versions before 1.2 are spoken if minVersion allows them", async () => {
    const { url } = await startTlsServer({ ...good, minVersion: "TLSv1", maxVersion: "TLSv1", ciphers: old });
    const tls = { ...defaultHttp.tls, ca: [ours], minVersion: "1.0" } as const;
    const { error, socket } = await startDialer({ tls }).open(url);
    expect(error).toBeNull();
    expect(socket).toMatchObject({ encrypted: true });
  });
});

/** Alerts that a server sends before it closes the connection (RFC 8446, section 6). */
const alerts = [
  [40, "TLS_CIPHER_MISMATCH"],
  [41, "TLS_CLIENT_CERT_REQUIRED"],
  [42, "TLS_CLIENT_CERT_REQUIRED"],
  [43, "TLS_CLIENT_CERT_REQUIRED"],
  [44, "TLS_CLIENT_CERT_REQUIRED"],
  [45, "TLS_CLIENT_CERT_REQUIRED"],
  [46, "TLS_CLIENT_CERT_REQUIRED"],
  [48, "TLS_CLIENT_CERT_REQUIRED"],
  [49, "TLS_CLIENT_CERT_REQUIRED"],
  [70, "TLS_VERSION_MISMATCH"],
  [71, "TLS_CIPHER_MISMATCH"],
  [86, "TLS_VERSION_MISMATCH"],
  [116, "TLS_CLIENT_CERT_REQUIRED"],
  [120, "TLS_ALPN_MISMATCH"],
  [10, undefined],
  [47, undefined],
  [80, undefined],
  [112, undefined],
] as const;

test.each(alerts)("alert %i is %s", async (alert, code) => {
  const { port } = await startListener("127.0.0.1", (socket) => {
    socket.once("data", () => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, alert])));
  });
  const { error } = await startDialer().open(`https://127.0.0.1:${port}`);
  expect(error?.code).toMatch(/^ERR_SSL_/);
  expect(tlsErrorsByCause.get(error?.code ?? "")?.code).toBe(code);
  await expectNothingOpen();
});

test.each([
  "HTTP/1.1 400 Bad Request\r\n\r\n",
  "SSH-2.0-OpenSSH_9.2\r\n",
  "220 mail.example ESMTP\r\n",
  "\x00\x00\x00\x04\x00\x00\x00\x00\x00",
  "\xff".repeat(64),
  "\x16\x03\x03\xff\xff\x01",
])("a server that sends %j speaks no TLS", async (text) => {
  const { port } = await startListener("127.0.0.1", (socket) => socket.end(text, "latin1"));
  const { error } = await startDialer().open(`https://127.0.0.1:${port}`);
  expect(tlsErrorsByCause.get(error?.code ?? "")?.code).toBe("TLS_NOT_SPOKEN");
});

test.each([
  ["ends", (socket: Socket) => socket.end(), { name: "ConnectFailure", info: { kind: "closed" } }],
  ["resets", (socket: Socket) => socket.resetAndDestroy(), { code: "ECONNRESET", syscall: "read" }],
] as const)("a server that %s the connection in the handshake fails it", async (_what, act, error) => {
  const { port } = await startListener("127.0.0.1", (socket) => socket.once("data", () => act(socket)));
  const opened = await startDialer().open(`https://127.0.0.1:${port}`);
  expect(opened.error).toMatchObject(error);
  expect(opened.opening.phase).toBe("tlsHandshaking");
  await expectNothingOpen();
});

async function firstError(socket: Socket): Promise<unknown> {
  return await new Promise((resolve) => socket.resume().once("error", resolve));
}

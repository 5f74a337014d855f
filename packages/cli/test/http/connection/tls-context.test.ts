import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { defaultHttp, type ValidatedTls } from "@bearhug/sdk";
import { describe, expect, onTestFinished, test } from "vitest";

import { checkTls } from "../../../src/http/connection/tls-context.ts";
import { hasOpenssl } from "../make-certificate.ts";
import { makeAuthority } from "./certificate-authority.ts";
import { startDialer } from "./start-dialer.ts";
import { startTlsServer } from "./start-tls-server.ts";

const authority = hasOpenssl ? makeAuthority() : null;
const { cert = "", key = "" } = authority?.issue() ?? {};
const otherKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const encryptedKey = otherKey.export({
  type: "pkcs8",
  format: "pem",
  cipher: "aes-256-cbc",
  passphrase: "right",
});

function check(tls: Partial<ValidatedTls>): string | null {
  return checkTls({ ...defaultHttp.tls, ...tls });
}

function fileOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-pem-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "it.pem"), text);
  return join(folder, "it.pem");
}

test("what is left out is fine", () => {
  expect(check({})).toBeNull();
  expect(check({ ciphers: "ECDHE-RSA-AES128-GCM-SHA256", minVersion: "1.0" })).toBeNull();
});

test("a file that is not there, a text that is none, ciphers that nobody knows", () => {
  expect(check({ ca: ["/no/such.pem"] })).toBe(
    'ca names a file that can\'t be read: "/no/such.pem" (ENOENT)',
  );
  expect(check({ cert: "a\nb" })).toBe('cert is no PEM: there is no "-----BEGIN …" in it');
  expect(check({ ciphers: "NO-SUCH" })).toBe('ciphers holds none that OpenSSL knows: "NO-SUCH"');
});

test("an authority that holds none", () => {
  const file = fileOf("hello");
  expect(check({ ca: [file] })).toBe(
    `ca "${file}" holds no certificate: PEM begins with "-----BEGIN CERTIFICATE-----"`,
  );
  const broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  expect(check({ ca: [broken] })).toMatch(/^ca holds a certificate that can't be read: its 1\. \(ERR_/);
});

describe.skipIf(!hasOpenssl)("with certificates (needs openssl)", () => {
  test("a certificate and its key", () => {
    expect(check({ cert: cert + authority!.cert, key, ca: [authority!.cert] })).toBeNull();
    expect(check({ cert: fileOf(cert), key: fileOf(key) })).toBeNull();
  });

  test("keys that are another's, locked, or none; nothing of them is shown", () => {
    const other = otherKey.export({ type: "pkcs8", format: "pem" }).toString();
    const locked = encryptedKey.toString();
    expect(check({ cert, key: other })).toMatch(/^key does not belong to cert/);
    expect(check({ cert, key: locked })).toBe("key is encrypted: set tls.passphrase");
    expect(check({ cert, key: locked, passphrase: "wrong" })).toMatch(
      /^key can't be decrypted with the passphrase \(ERR_\w+\)$/,
    );
    expect(check({ cert, key: locked, passphrase: "right" })).toMatch(/^key does not belong to cert/);
    expect(check({ cert, key: cert })).toMatch(/^key holds no private key/);
    expect(check({ cert, key: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----" })).toMatch(
      /^key can't be read \(ERR_\w+\)$/,
    );
  });

  test("files serve connections as texts do", async () => {
    const { url } = await startTlsServer({ cert, key });
    const { open } = startDialer({ tls: { ...defaultHttp.tls, ca: [fileOf(authority!.cert)] } });
    expect((await open(url)).error).toBeNull();
  });
});

test("what checkTls would have said is no exception later", async () => {
  const { open } = startDialer({ tls: { ...defaultHttp.tls, ca: ["/no/such.pem"] } });
  const { url } = await startTlsServer({});
  const { error, opening } = await open(url);
  expect(error).toMatchObject({ code: "ENOENT" });
  expect(opening.raw?.destroyed).toBe(true);
});

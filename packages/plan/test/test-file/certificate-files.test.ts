import { execFileSync } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { defaultHttp } from "../../src/http-options/option-table.ts";
import { pfxInPem, type ValidatedTls } from "../../src/http-options/tls.ts";
import type { TestProblem } from "../../src/definition/invalid-test.ts";
import { overrideHttp, readHttpFlags, type WrittenHttp } from "../../src/test-file/http-flags.ts";
import { readHttp } from "../../src/test-file/read-http.ts";
import { hasOpenssl, makeCertificate, type Certificate } from "../../../http/test/make-certificate.ts";

const folder = mkdtempSync(join(tmpdir(), "bearhug-certificates-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const at = (name: string): string => join(folder, name);

interface Read {
  readonly tls: ValidatedTls;
  readonly problems: readonly string[];
  readonly secrets: readonly string[];
}

/** Reads the TLS options that a test and the command line give. */
function read(given: Partial<ValidatedTls>, written: WrittenHttp = {}): Read {
  const problems: string[] = [];
  const flags = readHttpFlags(written, problems);
  const http = { ...defaultHttp, tls: { ...defaultHttp.tls, ...given } };
  const found: TestProblem[] = [];
  const planned = readHttp(http, [], flags, found);
  problems.push(...found.map(({ message }) => message));
  return { tls: planned.http.tls, problems, secrets: planned.secrets };
}

describe.skipIf(!hasOpenssl)("files of certificates and keys (need openssl)", () => {
  let made: Certificate;
  const openssl = (...line: readonly string[]): void => {
    execFileSync("openssl", line, { cwd: folder, stdio: "ignore" });
  };
  beforeAll(() => {
    made = makeCertificate("DNS:localhost");
    writeFileSync(at("cert.pem"), made.cert);
    writeFileSync(at("key.pem"), made.key);
    writeFileSync(at("both.pem"), made.key + made.cert);
    openssl("x509", "-in", "cert.pem", "-outform", "DER", "-out", "cert.der");
    const key = ["-in", "key.pem", "-outform", "DER", "-out"];
    openssl("pkcs8", "-topk8", "-nocrypt", ...key, "pkcs8.der");
    openssl("pkcs8", "-topk8", "-passout", "pass:swordfish", ...key, "encrypted.der");
    openssl("ec", ...key, "sec1.der");
    const pfx = ["pkcs12", "-export", "-in", "cert.pem", "-inkey", "key.pem", "-out"];
    openssl(...pfx, "client.p12", "-passout", "pass:swordfish");
    openssl(...pfx, "open.p12", "-passout", "pass:");
    openssl("pkcs12", "-export", "-nokeys", "-in", "cert.pem", "-out", "trust.p12", "-passout", "pass:");
    openssl("crl2pkcs7", "-nocrl", "-certfile", "cert.pem", "-outform", "DER", "-out", "chain.p7b");
    writeFileSync(at("store.jks"), Buffer.from("feedfeed00000002", "hex"));
    writeFileSync(at("rsa.der"), rsaKey());
  });

  function rsaKey(): Buffer {
    const pem = execFileSync("openssl", ["genrsa", "2048"], { encoding: "utf8", stdio: "pipe" });
    return createPrivateKey(pem).export({ type: "pkcs1", format: "der" });
  }

  test.for<[name: string, passphrase: string | null]>([
    ["pkcs8.der", null],
    ["encrypted.der", "swordfish"],
    ["sec1.der", null],
    ["key.pem", null],
  ])("a certificate in DER and the key %s belong together", ([name, passphrase]) => {
    const { tls, problems } = read({ cert: at("cert.der"), key: at(name), passphrase });
    expect(problems).toEqual([]);
    expect(new X509Certificate(tls.cert ?? "").subjectAltName).toBe("DNS:localhost");
    const opened = createPrivateKey({ key: tls.key ?? "", passphrase: passphrase ?? "" });
    expect(opened.equals(createPrivateKey(made.key))).toBe(true);
  });

  test("an RSA key in DER is recognized", () => {
    expect(read({ cert: at("cert.der"), key: at("rsa.der") }).problems).toEqual([
      "http.tls.key: does not match its certificate.",
    ]);
  });

  test("certificates of authorities may be in DER", () => {
    const { tls, problems } = read({ ca: [at("cert.der"), at("cert.pem")] });
    expect(problems).toEqual([]);
    expect(tls.ca?.map((ca) => new X509Certificate(ca).fingerprint256)).toEqual(
      Array(2).fill(new X509Certificate(made.cert).fingerprint256),
    );
  });

  test("files in PKCS #12 and PEM may contain the key, too", () => {
    const pfx = read({ cert: at("client.p12"), passphrase: "swordfish" });
    expect([pfx.problems, pfx.tls.key, pfx.secrets]).toEqual([[], null, ["swordfish"]]);
    expect(pfxInPem(pfx.tls.cert ?? "")).not.toBeNull();
    expect(read({ cert: at("open.p12") }).problems).toEqual([]);
    expect(read({ cert: at("both.pem") })).toMatchObject({ problems: [], tls: { key: made.key } });
    const clients = [{ cert: at("client.p12"), key: null, passphrase: "swordfish" }];
    expect(read({ clients }).problems).toEqual([]);
  });

  test("options that were read once stay the same when another machine reads them", () => {
    const { tls } = read({ cert: at("client.p12"), passphrase: "swordfish", ca: [at("cert.der")] });
    expect(read(tls)).toMatchObject({ problems: [], tls });
  });

  test("the command line's certificate replaces the test's", () => {
    const { tls, problems } = read(
      { cert: "none.pem", key: "none.pem", passphrase: "trout" },
      { cert: at("cert.pem"), key: at("pkcs8.der"), cacert: at("cert.der") },
    );
    expect(problems).toEqual([]);
    expect(tls).toMatchObject({ cert: made.cert, passphrase: null, clients: [] });
    expect(tls.ca).toHaveLength(1);
  });

  test.for<[given: WrittenHttp, problem: string]>([
    [{ cert: at("cert.pem") }, "--cert: holds no private key. Give its key, too, with --key."],
    [
      { cert: at("cert.pem"), key: at("encrypted.der") },
      "--key: is encrypted. Give its passphrase, too, with --pass.",
    ],
    [{ cert: at("client.p12") }, "--cert: is encrypted. Give its passphrase, too, with --pass."],
    [{ cert: at("client.p12"), pass: "trout" }, "--pass: does not open the PKCS #12 of --cert."],
    [
      { cert: at("open.p12"), key: at("key.pem") },
      "--key: is not needed: the PKCS #12 of --cert has it. Leave it out.",
    ],
    [{ cert: at("trust.p12") }, "--cert: holds no private key. Export it again, with its key."],
    [
      { cert: at("cert.pem"), key: at("client.p12") },
      `--key: "${at("client.p12")}" is PKCS #12 (PFX), which has the certificate, too. Give it as the certificate, without a key.`,
    ],
    [
      { ca: at("trust.p12") },
      `--ca: "${at("trust.p12")}" is PKCS #12 (PFX), which is for a client certificate. For its certificates alone, run: openssl pkcs12 -in "${at("trust.p12")}" -nokeys -out ca.pem`,
    ],
    [
      { ca: at("chain.p7b") },
      `--ca: "${at("chain.p7b")}" is PKCS #7, which TLS does not take. Convert it: openssl pkcs7 -in "${at("chain.p7b")}" -inform DER -print_certs -out certificates.pem (without -inform DER if it is text)`,
    ],
    [
      { cert: at("store.jks") },
      `--cert: "${at("store.jks")}" is a Java keystore. Convert it: keytool -importkeystore -srckeystore "${at("store.jks")}" -destkeystore client.p12 -deststoretype PKCS12`,
    ],
    [
      { cert: `${at("client.p12")}:swordfish` },
      `--cert: there is no "${at("client.p12")}:***". If the part after the colon is a passphrase, give it separately.`,
    ],
  ])("%j is refused with a sentence that says what to do", ([given, problem]) => {
    expect(read({}, given).problems).toEqual([problem]);
  });

  test("PKCS #12 that OpenSSL 3 no longer reads is refused with the command that converts it", ({ skip }) => {
    try {
      openssl("pkcs12", "-export", "-legacy", "-in", "both.pem", "-out", "old.p12", "-passout", "pass:x");
    } catch {
      skip("this openssl makes no such file");
    }
    expect(read({}, { cert: at("old.p12"), pass: "x" }).problems).toEqual([
      `--cert: is encrypted in an old way, which Node's OpenSSL refuses. Convert it: openssl pkcs12 -legacy -in "${at("old.p12")}" -nodes -out client.pem`,
    ]);
  });
});

test.for<[given: WrittenHttp, problem: string]>([
  [{ key: "key.pem" }, "--key: needs its certificate. Give it, too, with --cert."],
  [{ pass: "swordfish" }, "--pass: is for --cert, which is missing."],
  [{ ca: "ca.pem", cacert: "ca.pem" }, "--ca, --cacert: are the same. Remove one of them."],
])("%j: %s", ([given, problem]) => {
  const problems: string[] = [];
  overrideHttp(defaultHttp, readHttpFlags(given, problems));
  expect(problems).toEqual([problem]);
});

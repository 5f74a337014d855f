import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { InvalidInput } from "@bearhug/sdk";
import { describe, expect, onTestFinished, test } from "vitest";

import { defaultHttp } from "../../src/http-options/option-table.ts";
import type { ValidatedHttp } from "../../src/http-options/validated-http.ts";
import type { ValidatedTls } from "../../src/http-options/tls.ts";
import { builtInClients } from "../../../engine/src/built-in-clients.ts";
import { makePlan } from "../../src/test-file/make-plan.ts";
import type { WrittenOptions } from "../../src/test-file/run-options.ts";
import { hasOpenssl, makeCertificate } from "../../../http/test/make-certificate.ts";
import { constantVus, optionsOf, testOf } from "./tests-for-plans.ts";

const surroundings = { environment: {}, cores: 4, clients: builtInClients, fallbackName: "a file" };

function withTls(tls: Partial<ValidatedTls>): ValidatedHttp {
  return { ...defaultHttp, tls: { ...defaultHttp.tls, ...tls } };
}

function planOf(http: ValidatedHttp, written: WrittenOptions = {}, ofScenario: ValidatedHttp = http) {
  const scenarios = [{ ...constantVus("readers"), http: ofScenario }];
  return makePlan(testOf(scenarios, { http }), optionsOf(written), surroundings).plan;
}

function problemsOf(...given: Parameters<typeof planOf>): readonly string[] {
  try {
    planOf(...given);
  } catch (error) {
    if (error instanceof InvalidInput) return error.problems;
    throw error;
  }
  return [];
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-pem-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe("the HTTP options of a plan", () => {
  test("are those of the test, and a scenario's own", () => {
    const own: ValidatedHttp = { ...defaultHttp, cookies: "vu" };
    const plan = planOf(defaultHttp, {}, own);
    expect(plan.http).toEqual(defaultHttp);
    expect(plan.scenarios[0]?.scenario.http).toEqual(own);
    expect(structuredClone(plan)).toEqual(plan);
  });

  test("are one object if a scenario has no options of its own", () => {
    const plan = planOf(defaultHttp, { timeout: "5s" });
    expect(plan.http.timeout.wholeMs).toBe(5000);
    expect(plan.scenarios[0]?.scenario.http).toBe(plan.http);
  });

  test("are overridden by the command line, in the test and in scenarios", () => {
    const own: ValidatedHttp = { ...defaultHttp, protocol: "http1", cookies: "off" };
    const plan = planOf(defaultHttp, { protocol: "h2c", insecure: true }, own);
    const expected = { protocol: "h2c", tls: { insecureSkipTlsVerify: true } };
    expect(plan.http).toMatchObject(expected);
    expect(plan.scenarios[0]?.scenario.http).toMatchObject({ ...expected, cookies: "off" });
  });

  test("are refused if the command line makes them contradict each other", () => {
    expect(problemsOf(withTls({ minVersion: "1.0", maxVersion: "1.1" }), { protocol: "http2" })).toEqual([
      'http.protocol can\'t be "http2" where tls.maxVersion is "1.1": HTTP/2 needs TLS 1.2 or later.',
    ]);
  });

  test("make a proxy's password a secret, both as it is written and decoded", () => {
    const http = { ...defaultHttp, proxy: "http://ann:sword%2Ffish@proxy.example:3128" };
    expect(planOf(http).secrets).toEqual(["sword%2Ffish", "sword/fish"]);
    expect(planOf(defaultHttp, { proxy: "http://ann:tr%40ut@127.0.0.1" }).secrets).toEqual([
      "tr%40ut",
      "tr@ut",
    ]);
    expect(planOf({ ...defaultHttp, proxy: "http://proxy.example" }).secrets).toEqual([]);
  });
});

describe("a TLS file", () => {
  test("that does not exist is reported once with its option, together with all other problems", () => {
    const tls = { ca: ["no-ca.pem"], cert: "no-cert.pem", key: "no-key.pem" };
    const problems = problemsOf(withTls(tls), { threshold: ["nothing: rate<1%"] });
    expect(problems).toHaveLength(4);
    expect(problems.slice(0, 3)).toEqual([
      'http.tls.ca: is neither PEM (-----BEGIN …-----) nor the path of a file: there is no "no-ca.pem".',
      'http.tls.cert: is neither PEM (-----BEGIN …-----) nor the path of a file: there is no "no-cert.pem".',
      'http.tls.key: is neither PEM (-----BEGIN …-----) nor the path of a file: there is no "no-key.pem".',
    ]);
  });

  test("of a scenario is reported with the scenario's name", () => {
    expect(problemsOf(defaultHttp, {}, withTls({ ca: ["no.pem"] }))).toEqual([
      'Scenario readers: http.tls.ca: is neither PEM (-----BEGIN …-----) nor the path of a file: there is no "no.pem".',
    ]);
  });

  test("of the command line is reported once, however many scenarios use it", () => {
    const other = { ...withTls({ resumeSessions: false }), cookies: "off" } as const;
    expect(problemsOf(defaultHttp, { ca: "no.pem" }, other)).toEqual([
      '--ca: is neither PEM (-----BEGIN …-----) nor the path of a file: there is no "no.pem".',
    ]);
  });

  test("that cannot be read, or contains something else, is reported", () => {
    const folder = folderWith({ "ca.pem": "hello" });
    expect(problemsOf(withTls({ ca: [join(folder, "ca.pem"), folder] }))).toEqual([
      `http.tls.ca: "${join(folder, "ca.pem")}" contains no certificate in PEM (-----BEGIN …-----) or DER.`,
      `http.tls.ca: "${folder}" cannot be read (EISDIR).`,
    ]);
  });

  test("whose name is really a key without its PEM header is reported without displaying the key", () => {
    const bare = "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g";
    expect(problemsOf(withTls({ key: bare }))).toEqual([
      "http.tls.key: is neither PEM (-----BEGIN …-----) nor the path of a file.",
    ]);
  });

  test("with a damaged certificate is refused: Node would skip the certificate silently", () => {
    const damaged = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
    for (const ca of [damaged, "-----BEGIN CERTIFICATE-----\nMIIB"]) {
      expect(problemsOf(withTls({ ca: [ca] }))).toEqual([
        "http.tls.ca: holds a certificate that cannot be read: it is damaged, or cut off.",
      ]);
    }
  });
});

test("unknown cipher suites are refused", () => {
  expect(problemsOf(withTls({ ciphers: "ROT13" }))).toEqual([
    "http.tls.ciphers: names no cipher suite that Node's OpenSSL knows.",
  ]);
  expect(problemsOf(withTls({ ciphers: "ECDHE-RSA-AES128-GCM-SHA256:TLS_AES_128_GCM_SHA256" }))).toEqual([]);
});

describe.skipIf(!hasOpenssl)("certificates and keys", () => {
  test("of each virtual user are read, checked and kept secret", () => {
    const [one, two] = [makeCertificate("DNS:one"), makeCertificate("DNS:two")];
    const folder = folderWith({ "two.pem": two.cert, "two-key.pem": two.key });
    const files = { cert: join(folder, "two.pem"), key: join(folder, "two-key.pem"), passphrase: null };
    const { http, secrets } = planOf(withTls({ clients: [{ ...one, passphrase: null }, files] }));
    expect(http.tls.clients.map(({ cert }) => cert)).toEqual([one.cert, two.cert]);
    expect(secrets).toEqual([one.key.trim(), two.key.trim()]);
    expect(problemsOf(withTls({ clients: [{ ...one, key: two.key, passphrase: null }] }))).toEqual([
      "http.tls.clients[0].key: does not match its certificate.",
    ]);
  });

  test("are read from files, relative to the working directory, or are the text itself", () => {
    const { cert, key } = makeCertificate("DNS:localhost");
    const folder = folderWith({ "ca.pem": cert + cert, "both.pem": key + cert });
    const ca = relative(process.cwd(), join(folder, "ca.pem"));
    const { http, secrets, scenarios } = planOf(
      withTls({ ca: [ca, cert], cert: join(folder, "both.pem"), key }),
    );
    expect(http.tls).toEqual({ ...defaultHttp.tls, ca: [cert + cert, cert], cert: key + cert, key });
    expect(scenarios[0]?.scenario.http).toBe(http);
    expect(secrets).toEqual([key.trim()]);
    const indented = cert.replaceAll(/^/gm, "    ");
    expect(planOf(withTls({ ca: [indented] })).http.tls.ca).toEqual([cert]);
  });

  test("that do not belong together are refused", () => {
    const [one, other] = [makeCertificate("DNS:localhost"), makeCertificate("DNS:localhost")];
    expect(problemsOf(withTls({ cert: one.cert, key: other.key }))).toEqual([
      "http.tls.key: does not match its certificate.",
    ]);
    expect(problemsOf(withTls({ cert: one.cert, key: one.cert }))).toEqual([
      "http.tls.key: contains no private key in PEM (-----BEGIN …-----) or DER.",
    ]);
  });

  test("that are encrypted need their passphrase, which is a secret", () => {
    const { cert, key } = makeCertificate("DNS:localhost");
    const encrypted = execFileSync("openssl", ["pkcs8", "-topk8", "-passout", "pass:swordfish"], {
      input: key,
      encoding: "utf8",
    });
    expect(problemsOf(withTls({ cert, key: encrypted }))).toEqual([
      "http.tls.key: is encrypted. Give its passphrase, too, with http.tls.passphrase.",
    ]);
    expect(problemsOf(withTls({ cert, key: encrypted, passphrase: "trout" }))).toEqual([
      "http.tls.passphrase: does not decrypt the key.",
    ]);
    const { secrets } = planOf(withTls({ cert, key: encrypted, passphrase: "swordfish" }));
    expect(secrets).toEqual([encrypted.trim(), "swordfish"]);
  });
});

import { webcrypto } from "node:crypto";

// The decorators of the next need it.
import "reflect-metadata";

import { X509CertificateGenerator } from "@peculiar/x509";

import { fingerprintOf } from "./fingerprint.ts";

/** The certificate of one run. PEM. */
export interface RunCertificate {
  readonly cert: string;
  readonly key: string;
  /** SHA-256, in hexadecimal digits: agents know the certificate by it. */
  readonly fingerprint: string;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const validMs = 30 * 24 * 3_600_000;
/** For agents whose clock is behind. */
const earlierMs = 24 * 3_600_000;

/** Makes a key and a certificate that it signs itself. */
export async function makeCertificate(): Promise<RunCertificate> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const nowMs = Date.now();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: "CN=bearhug",
    notBefore: new Date(nowMs - earlierMs),
    notAfter: new Date(nowMs + validMs),
    signingAlgorithm: algorithm,
    keys,
  });
  const cert = certificate.toString("pem");
  const bytes = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey));
  return { cert, key: keyPem(bytes), fingerprint: fingerprintOf(cert) };
}

function keyPem(bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN PRIVATE KEY-----", ...lines, "-----END PRIVATE KEY-----", ""].join("\n");
}

import { X509Certificate } from "node:crypto";

/** The SHA-256 fingerprint of a certificate in PEM, in hexadecimal digits. */
export function fingerprintOf(cert: string): string {
  return readFingerprint(new X509Certificate(cert));
}

export function readFingerprint(certificate: X509Certificate): string {
  return certificate.fingerprint256.replaceAll(":", "").toLowerCase();
}

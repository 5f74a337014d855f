import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  createSecureContext,
  DEFAULT_CIPHERS,
  type SecureContext,
  type SecureContextOptions,
  type SecureVersion,
} from "node:tls";

import type { ValidatedTls } from "@bearhug/sdk";

/** Made once: it costs a quarter of a millisecond. Throws what `checkTls` would have said. */
export function createTlsContext(tls: ValidatedTls): SecureContext {
  return createSecureContext(contextOptions(tls));
}

/** What is wrong with certificates, keys and ciphers, as a sentence that begins with the option; null where nothing is. */
export function checkTls(tls: ValidatedTls): string | null {
  return (
    checkFiles(tls) ?? checkAuthorities(tls) ?? checkCertificate(tls) ?? checkKey(tls) ?? checkContext(tls)
  );
}

function contextOptions({
  ca,
  cert,
  key,
  passphrase,
  ciphers,
  minVersion,
  maxVersion,
}: ValidatedTls): SecureContextOptions {
  // OpenSSL speaks versions before 1.2 on its lowest level of security alone.
  const isOld = maxVersion === "1.0" || maxVersion === "1.1" || minVersion === "1.0" || minVersion === "1.1";
  const chosenCiphers = ciphers ?? (isOld ? `${DEFAULT_CIPHERS}:@SECLEVEL=0` : null);
  return {
    minVersion: versions[minVersion],
    maxVersion: versions[maxVersion],
    ...(ca === null ? {} : { ca: ca.map(readPem) }),
    ...(cert === null ? {} : { cert: readPem(cert) }),
    ...(key === null ? {} : { key: readPem(key) }),
    ...(passphrase === null ? {} : { passphrase }),
    ...(chosenCiphers === null ? {} : { ciphers: chosenCiphers }),
  };
}

const versions: Readonly<Record<ValidatedTls["minVersion"], SecureVersion>> = {
  "1.0": "TLSv1",
  "1.1": "TLSv1.1",
  "1.2": "TLSv1.2",
  "1.3": "TLSv1.3",
};

/** The text itself, or that of the file that it names. */
function readPem(value: string): string {
  return value.includes("-----BEGIN ") ? value : readFileSync(value, "utf8");
}

function checkFiles({ ca, cert, key }: ValidatedTls): string | null {
  const named = [
    ...(ca ?? []).map((value) => ["ca", value] as const),
    ["cert", cert] as const,
    ["key", key] as const,
  ];
  for (const [option, value] of named) {
    if (value === null) continue;
    try {
      readPem(value);
    } catch (error) {
      return value.includes("\n")
        ? `${option} is no PEM: there is no "-----BEGIN …" in it`
        : `${option} names a file that can't be read: "${value}" (${codeOf(error)})`;
    }
  }
  return null;
}

function checkAuthorities({ ca }: ValidatedTls): string | null {
  for (const value of ca ?? []) {
    // Node would take a text without certificates, and trust nobody.
    const reason = certificateProblem(readPem(value));
    if (reason !== null) return `ca${shownPath(value)} ${reason}`;
  }
  return null;
}

function checkCertificate({ cert }: ValidatedTls): string | null {
  const reason = cert === null ? null : certificateProblem(readPem(cert));
  return cert === null || reason === null ? null : `cert${shownPath(cert)} ${reason}`;
}

function certificateProblem(pem: string): string | null {
  const certificates = pem.match(/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END [^-]+-----/g);
  if (certificates === null) return 'holds no certificate: PEM begins with "-----BEGIN CERTIFICATE-----"';
  for (const [index, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate);
    } catch (error) {
      return `holds a certificate that can't be read: its ${index + 1}. (${codeOf(error)})`;
    }
  }
  return null;
}

function checkKey({ cert, key, passphrase }: ValidatedTls): string | null {
  if (key === null || cert === null) return null;
  const pem = readPem(key);
  try {
    const privateKey = createPrivateKey({ key: pem, ...(passphrase === null ? {} : { passphrase }) });
    return new X509Certificate(readPem(cert)).checkPrivateKey(privateKey)
      ? null
      : "key does not belong to cert, whose first certificate must be the client's own";
  } catch (error) {
    const where = `key${shownPath(key)}`;
    if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) {
      return `${where} holds no private key: PEM begins with "-----BEGIN PRIVATE KEY-----"`;
    }
    if (passphrase === null && pem.includes("ENCRYPTED")) return `${where} is encrypted: set tls.passphrase`;
    if (passphrase !== null) return `${where} can't be decrypted with the passphrase (${codeOf(error)})`;
    return `${where} can't be read (${codeOf(error)})`;
  }
}

function checkContext(tls: ValidatedTls): string | null {
  try {
    createTlsContext(tls);
    return null;
  } catch (error) {
    const code = codeOf(error);
    return code === "ERR_SSL_NO_CIPHER_MATCH" && tls.ciphers !== null
      ? `ciphers holds none that OpenSSL knows: "${tls.ciphers}"`
      : `can't be used (${code})`;
  }
}

function shownPath(value: string): string {
  return value.includes("-----BEGIN ") ? "" : ` "${value}"`;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}

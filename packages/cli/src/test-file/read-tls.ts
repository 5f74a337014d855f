import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";

import type { ValidatedTls, ValidatedTlsClient } from "@bearhug/sdk/internal";

/** The names of TLS options in error messages. */
export interface TlsPlaces {
  /** `http.tls` */
  readonly place: string;
  /** The option with the trusted authorities: `http.tls.ca`, or `--ca`. */
  readonly caOption: string;
}

/** Reads certificates and keys where they are files, and tries them: what TLS would refuse is a problem now. */
export function readTls(tls: ValidatedTls, { place, caOption }: TlsPlaces, problems: string[]): ValidatedTls {
  const before = problems.length;
  const read = {
    ...tls,
    ca: tls.ca?.map((ca) => readPem(ca, caOption, certificateWords, problems)) ?? null,
    cert: tls.cert === null ? null : readPem(tls.cert, `${place}.cert`, certificateWords, problems),
    key: tls.key === null ? null : readPem(tls.key, `${place}.key`, keyWords, problems),
  };
  if (problems.length === before) problems.push(...combinationProblems(read, place));
  const clients = tls.clients.map((client, index) =>
    readClient(client, `${place}.clients[${index}]`, problems),
  );
  return { ...read, clients };
}

function readClient(client: ValidatedTlsClient, place: string, problems: string[]): ValidatedTlsClient {
  const before = problems.length;
  const cert = readPem(client.cert, `${place}.cert`, certificateWords, problems);
  const key = readPem(client.key, `${place}.key`, keyWords, problems);
  if (problems.length === before)
    problems.push(...keyProblems(key, cert, client.passphrase).map((problem) => `${place}.${problem}`));
  return { ...client, cert, key };
}

/** The required content of a PEM text. */
interface PemWords {
  readonly pattern: RegExp;
  readonly what: string;
}

const certificateWords: PemWords = {
  pattern: /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/,
  what: "certificate",
};
const keyWords: PemWords = { pattern: /-----BEGIN (?:\w+ )*PRIVATE KEY-----/, what: "private key" };

/** The text itself, or that of the file that it names. */
function readPem(given: string, option: string, { pattern, what }: PemWords, problems: string[]): string {
  const isText = given.includes("-----BEGIN");
  const from = isText ? "" : ` ${JSON.stringify(given)}`;
  // A text within code is often indented, which PEM may not be.
  const text = isText ? given.replaceAll(/^[ \t]+/gm, "") : readFile(given, option, problems);
  if (text === null) return "";
  if (!pattern.test(text)) problems.push(`${option}:${from} contains no ${what} in PEM (-----BEGIN …-----).`);
  else if (what === "certificate")
    problems.push(...unreadableCertificates(text).map((why) => `${option}:${from} ${why}`));
  return text;
}

function readFile(path: string, option: string, problems: string[]): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = codeOf(error);
    problems.push(
      code === "ENOENT" || code === "ENAMETOOLONG"
        ? `${option}: is neither PEM (-----BEGIN …-----) nor the path of a file${isKeyLike(path) ? "" : `: there is no ${JSON.stringify(path)}`}.`
        : `${option}: ${JSON.stringify(path)} cannot be read (${code}).`,
    );
    return null;
  }
}

/** A key whose first line was lost is not to be shown. */
function isKeyLike(text: string): boolean {
  return text.length > 200 || /^[\w+/=\s]{40,}$/.test(text);
}

/** Node leaves out what it cannot read, without a word. */
function unreadableCertificates(text: string): string[] {
  const blocks = text.match(/-----BEGIN [^-]*CERTIFICATE-----[^]*?-----END [^-]*CERTIFICATE-----/g) ?? [];
  const isReadable = blocks.length > 0 && blocks.every(canBeRead);
  return isReadable ? [] : ["holds a certificate that cannot be read: it is damaged, or cut off."];
}

function canBeRead(certificate: string): boolean {
  try {
    return new X509Certificate(certificate).raw.length > 0;
  } catch {
    return false;
  }
}

/** A sentence for each pair of options that do not fit each other. */
function combinationProblems(tls: ValidatedTls, place: string): string[] {
  return [
    ...(tls.cert === null || tls.key === null ? [] : keyProblems(tls.key, tls.cert, tls.passphrase)),
    ...cipherProblems(tls.ciphers),
  ].map((problem) => `${place}.${problem}`);
}

function keyProblems(key: string, cert: string, passphrase: string | null): string[] {
  if (passphrase === null && key.includes("ENCRYPTED"))
    return ["key: is encrypted; also set its passphrase."];
  try {
    const opened = createPrivateKey({ key, format: "pem", ...(passphrase === null ? {} : { passphrase }) });
    if (new X509Certificate(cert).checkPrivateKey(opened)) return [];
    return ["key: does not match its certificate."];
  } catch (error) {
    const code = codeOf(error);
    if (code.endsWith("BAD_DECRYPT")) return ["passphrase: does not decrypt the key."];
    return [`key: cannot be read (${code}).`];
  }
}

function cipherProblems(ciphers: string | null): string[] {
  if (ciphers === null) return [];
  try {
    createSecureContext({ ciphers });
    return [];
  } catch (error) {
    return codeOf(error) === "ERR_SSL_NO_CIPHER_MATCH"
      ? ["ciphers: names no cipher suite that Node's OpenSSL knows."]
      : [`ciphers: cannot be used (${codeOf(error)}).`];
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

import { createPrivateKey, X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { createSecureContext } from "node:tls";

import { errorCode, errorMessage } from "@bearhug/text/caught-error";

import { pfxInPem, type ValidatedTls, type ValidatedTlsClient } from "../http-options/tls.ts";
import { javaLabel, readCertificateFile } from "./certificate-file.ts";

/** The names of TLS options in error messages: `http.tls.cert`, or `--cert`. */
export interface TlsPlaces extends ClientPlaces {
  readonly ca: string;
  readonly ciphers: string;
  readonly clients: string;
}

/** The names of the options of a client certificate. */
interface ClientPlaces {
  readonly cert: string;
  readonly key: string;
  readonly passphrase: string;
}

/**
 * Reads certificates and keys from their files and tries them, so that whatever TLS would reject is a
 * problem before the run.
 */
export function readTls(tls: ValidatedTls, places: TlsPlaces, problems: string[]): ValidatedTls {
  const { cert, key, passphrase } = tls;
  const ca = tls.ca?.map((one) => readPem(one, places.ca, authorityWords, problems)) ?? null;
  const own =
    cert === null
      ? { key: key === null ? null : readPem(key, places.key, keyWords, problems) }
      : readClient({ cert, key, passphrase }, places, problems);
  problems.push(...cipherProblems(tls.ciphers, places));
  const clients = tls.clients.map((client, index) => {
    const named = (option: string): string => `${places.clients}[${index}].${option}`;
    const itsPlaces = { cert: named("cert"), key: named("key"), passphrase: named("passphrase") };
    return readClient(client, itsPlaces, problems);
  });
  return { ...tls, ...own, ca, clients };
}

/**
 * Reads a client certificate in the form that TLS takes: certificate and key in PEM, or PKCS #12 in PEM's
 * armour, which includes the key.
 */
function readClient(
  client: ValidatedTlsClient,
  places: ClientPlaces,
  problems: string[],
): ValidatedTlsClient {
  const { passphrase } = client;
  const before = problems.length;
  const cert = readPem(client.cert, places.cert, certificateWords, problems);
  const given = client.key === null ? null : readPem(client.key, places.key, keyWords, problems);
  const pfx = pfxInPem(cert);
  const key = given ?? ownKeyOf(cert);
  const read = { ...client, cert, key };
  if (problems.length > before) return read;
  if (pfx !== null && given === null) problems.push(...pfxProblems(pfx, client, places));
  else if (pfx !== null)
    problems.push(`${places.key}: is not needed: the PKCS #12 of ${places.cert} has it. Leave it out.`);
  else if (key === null)
    problems.push(`${places.cert}: holds no private key. Give its key, too, with ${places.key}.`);
  else problems.push(...keyProblems(key, cert, passphrase, places));
  return read;
}

/** Returns the key in the same PEM as its certificate. */
function ownKeyOf(cert: string): string | null {
  return (
    /-----BEGIN (?:\w+ )*PRIVATE KEY-----[^]*?-----END (?:\w+ )*PRIVATE KEY-----\n?/.exec(cert)?.[0] ?? null
  );
}

/** The required content of a PEM text. */
interface PemWords {
  readonly pattern: RegExp;
  readonly what: string;
  readonly forms: string;
}

const certificate = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/;
const pem = "PEM (-----BEGIN …-----)";

const authorityWords: PemWords = { pattern: certificate, what: "certificate", forms: `${pem} or DER` };
const certificateWords: PemWords = {
  pattern: new RegExp(`${certificate.source}|-----BEGIN PKCS12-----`),
  what: "certificate",
  forms: `${pem}, DER or PKCS #12`,
};
const keyWords: PemWords = {
  pattern: /-----BEGIN (?:\w+ )*PRIVATE KEY-----/,
  what: "private key",
  forms: `${pem} or DER`,
};

/** Returns the given PEM text, or the text of the file that it names. */
function readPem(given: string, option: string, words: PemWords, problems: string[]): string {
  const isText = given.includes("-----BEGIN");
  const path = isText ? null : JSON.stringify(given);
  // A text in source code is often indented, which PEM must not be.
  const text = isText ? given.replaceAll(/^[ \t]+/gm, "") : readFile(given, option, problems);
  if (text === null) return "";
  const place = path === null ? `${option}:` : `${option}: ${path}`;
  if (!words.pattern.test(text)) problems.push(`${place} ${describeWrongContent(text, path, words)}`);
  else if (words !== keyWords) problems.push(...unreadableCertificates(text).map((why) => `${place} ${why}`));
  return text;
}

/** Describes a text that lacks the required content, and the command that converts it. */
function describeWrongContent(text: string, path: string | null, { what, forms }: PemWords): string {
  const file = path ?? "FILE";
  if (text.includes("-----BEGIN PKCS12-----")) {
    return what === "private key"
      ? "is PKCS #12 (PFX), which has the certificate, too. Give it as the certificate, without a key."
      : `is PKCS #12 (PFX), which is for a client certificate. For its certificates alone, run: openssl pkcs12 -in ${file} -nokeys -out ca.pem`;
  }
  if (text.includes("-----BEGIN PKCS7-----")) {
    return `is PKCS #7, which TLS does not take. Convert it: openssl pkcs7 -in ${file} -inform DER -print_certs -out certificates.pem (without -inform DER if it is text)`;
  }
  if (text.includes(`-----BEGIN ${javaLabel}-----`)) {
    return `is a Java keystore. Convert it: keytool -importkeystore -srckeystore ${file} -destkeystore client.p12 -deststoretype PKCS12`;
  }
  return `contains no ${what} in ${forms}.`;
}

function readFile(path: string, option: string, problems: string[]): string | null {
  try {
    return readCertificateFile(path);
  } catch (error) {
    const code = codeOf(error);
    const [, file, passphrase] = /^(.+):([^:]+)$/.exec(path) ?? [];
    if (code === "ENOENT" && file !== undefined && passphrase !== undefined && existsSync(file)) {
      problems.push(
        `${option}: there is no "${file}:***". If the part after the colon is a passphrase, give it separately.`,
      );
      return null;
    }
    problems.push(
      code === "ENOENT" || code === "ENAMETOOLONG"
        ? `${option}: is neither PEM (-----BEGIN …-----) nor the path of a file${isKeyLike(path) ? "" : `: there is no ${JSON.stringify(path)}`}.`
        : `${option}: ${JSON.stringify(path)} cannot be read (${code}).`,
    );
    return null;
  }
}

/** True if a text may be a key that lost its first line, which must not be displayed. */
function isKeyLike(text: string): boolean {
  return text.length > 200 || /^[\w+/=\s]{40,}$/.test(text);
}

/** Checks certificates, because Node silently ignores those that it cannot read. */
function unreadableCertificates(text: string): string[] {
  if (pfxInPem(text) !== null) return [];
  const blocks = text.match(/-----BEGIN [^-]*CERTIFICATE-----[^]*?-----END [^-]*CERTIFICATE-----/g) ?? [];
  const isReadable = blocks.length > 0 && blocks.every(canBeRead);
  return isReadable ? [] : ["holds a certificate that cannot be read: it is damaged, or cut off."];
}

function canBeRead(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}

function keyProblems(key: string, cert: string, passphrase: string | null, places: ClientPlaces): string[] {
  if (passphrase === null && key.includes("ENCRYPTED"))
    return [`${places.key}: is encrypted. Give its passphrase, too, with ${places.passphrase}.`];
  try {
    const opened = createPrivateKey({ key, format: "pem", ...(passphrase === null ? {} : { passphrase }) });
    if (new X509Certificate(cert).checkPrivateKey(opened)) return [];
    return [`${places.key}: does not match its certificate.`];
  } catch (error) {
    const code = codeOf(error);
    if (code.endsWith("BAD_DECRYPT")) return [`${places.passphrase}: does not decrypt the key.`];
    return [`${places.key}: cannot be read (${code}).`];
  }
}

function pfxProblems(pfx: string, { cert, passphrase }: ValidatedTlsClient, places: ClientPlaces): string[] {
  const file = cert.includes("-----BEGIN") ? "FILE" : JSON.stringify(cert);
  try {
    createSecureContext({
      pfx: Buffer.from(pfx, "base64"),
      ...(passphrase === null ? {} : { passphrase }),
    });
    return [];
  } catch (error) {
    const message = errorMessage(error);
    if (message.includes("mac verify failure")) {
      return passphrase === null
        ? [`${places.cert}: is encrypted. Give its passphrase, too, with ${places.passphrase}.`]
        : [`${places.passphrase}: does not open the PKCS #12 of ${places.cert}.`];
    }
    if (message.includes("Unsupported PKCS12"))
      return [
        `${places.cert}: is encrypted in an old way, which Node's OpenSSL refuses. Convert it: openssl pkcs12 -legacy -in ${file} -nodes -out client.pem`,
      ];
    return message.includes("private key")
      ? [`${places.cert}: holds no private key. Export it again, with its key.`]
      : [`${places.cert}: cannot be read (${message}).`];
  }
}

function cipherProblems(ciphers: string | null, places: TlsPlaces): string[] {
  if (ciphers === null) return [];
  try {
    createSecureContext({ ciphers });
    return [];
  } catch (error) {
    return codeOf(error) === "ERR_SSL_NO_CIPHER_MATCH"
      ? [`${places.ciphers}: names no cipher suite that Node's OpenSSL knows.`]
      : [`${places.ciphers}: cannot be used (${codeOf(error)}).`];
  }
}

function codeOf(error: unknown): string {
  return errorCode(error) ?? String(error);
}

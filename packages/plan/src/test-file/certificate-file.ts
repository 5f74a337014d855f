import { readFileSync } from "node:fs";

/**
 * Reads a file of certificates or keys as PEM: DER and PKCS #12 get PEM's armour around them.
 * @throws errors of node:fs
 */
export function readCertificateFile(path: string): string {
  const bytes = readFileSync(path);
  const label = bytes.includes("-----BEGIN") ? null : labelOf(bytes);
  if (label === null) return bytes.toString("utf8");
  const lines = bytes.toString("base64").replaceAll(/.{1,64}/g, "$&\n");
  return `-----BEGIN ${label}-----\n${lines}-----END ${label}-----\n`;
}

/** Tags of DER (X.690). */
const [integer, octets, name, sequence] = [0x02, 0x04, 0x06, 0x30];

/** The first bytes of a Java keystore. */
const javaMagic = Buffer.from("feedfeed", "hex");

/** Returns PEM's label for binary content; null if it is none of these. */
function labelOf(bytes: Buffer): string | null {
  if (bytes.subarray(0, 4).equals(javaMagic)) return javaLabel;
  const [tag, inside] = readElement(bytes, 0);
  if (tag !== sequence) return null;
  const [first, firstInside, second] = readElement(bytes, inside);
  const tagOfSecond = bytes[second];
  // RFC 2315: the type of the content comes first.
  if (first === name) return "PKCS7";
  if (first === sequence) {
    // RFC 5958: the encryption algorithm, then the encrypted bytes. A certificate begins with the
    // signed part (RFC 5280).
    const isEncryption = bytes[firstInside] === name && tagOfSecond === octets;
    return isEncryption ? "ENCRYPTED PRIVATE KEY" : "CERTIFICATE";
  }
  if (first !== integer) return null;
  // RFC 7292: a PKCS #12 has version 3.
  if (bytes[firstInside] === 3) return "PKCS12";
  // RFC 5958, RFC 5915 and RFC 8017: the version is followed by an algorithm, by the key, or by a large number.
  if (tagOfSecond === sequence) return "PRIVATE KEY";
  return tagOfSecond === octets ? "EC PRIVATE KEY" : "RSA PRIVATE KEY";
}

/** Our own PEM label for a keystore that only Java reads. */
export const javaLabel = "JAVA KEYSTORE";

/** Returns the tag of an element, the offset of its content, and the offset of the next element. */
function readElement(bytes: Buffer, start: number): [tag: number | undefined, inside: number, next: number] {
  const length = bytes[start + 1] ?? 0;
  // Above 127, the low bits give the number of length bytes: 0 in the indefinite form,
  // which some exports use.
  const inside = start + 2 + (length > 0x7f ? length & 0x7f : 0);
  const size = bytes.subarray(start + 2, inside).reduce((sum, byte) => sum * 256 + byte, 0);
  return [bytes[start], inside, inside + (length > 0x7f ? size : length)];
}

/** Secrets, by their place in a request or by their declaration. */
export const planted = {
  declared: 'dk-Zq7+w9/R="x4Kü&m2',
  lines: `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0B".repeat(2)}\n${"AQEFAASCBKcwggSjAgEAAoIB".repeat(2)}\n-----END PRIVATE KEY-----`,
  fromEnvironment: "ev-T5r8Ws2pLq0vX",
  bearer: "be-N4x7.Kd9_sW2-hG6t",
  basic: "ba-Y6/u+3fJ=8rQ1",
  httpBearer: "hb-A1s9D8f7G6h5J4",
  digest: "dg-Q2w3E4r5T6y7U8",
  awsKey: "aw-Z9x8C7v6B5n4M3",
  awsSession: "as-K3j4H5g6F7d8S9",
  formData: "fd-L0k9J8h7G6f5D4",
  apiKey: "ak-P0o9I8u7Y6t5R4e3",
  authUser: "au-M1n2B3v4C5x6Z7",
  ownToken: "ot-L9k8J7h6G5f4D3",
  csrf: "cs-Q1w2E3r4T5y6U7",
  signatureHeader: "sh-A9s8D7f6G5h4J3",
  awsToken: "aw-Z0x9C8v7B6n5M4",
  cookieHeader: "ck-H2j3K4l5P6o7I8",
  setCookie: "sc-U9y8T7r6E5w4Q3",
  cookieJar: "cj-V6b5N4m3L2k1J0",
  queryToken: "qt-D3f4G5h6J7k8L9",
  queryCode: "qc-7Tz3Rm9Kp2Ws5X",
  querySignature: "qs-B8n7M6l5K4j3H2",
  querySession: "qe-E1r2T3y4U5i6O7",
  parameter: "pa-S5d6F7g8H9j0K1",
  formPassword: "fp-R7t8Y9u0I1o2P3",
  formSecret: "fs-W4e5R6t7Y8u9I0",
  jsonToken: "jt-X2c3V4b5N6m7L8",
  userInfo: "ui-G6f5D4s3A2q1W0",
  literal: "li-J8h7G6f5D4s3A2",
} as const;

/** Every way in which a secret may be spelled. */
export const spellings: Readonly<Record<string, (secret: string) => string>> = {
  "as it is": (secret) => secret,
  "in an address": encodeURIComponent,
  "in an address, in lower case": (secret) =>
    encodeURIComponent(secret).replace(/%../g, (escape) => escape.toLowerCase()),
  "in an address, every byte": (secret) => Buffer.from(secret).toString("hex").replace(/../g, "%$&"),
  "in an address in an address": (secret) => encodeURIComponent(encodeURIComponent(secret)),
  "in a form": (secret) => new URLSearchParams({ v: secret }).toString().slice(2),
  "in JSON": (secret) => JSON.stringify(secret).slice(1, -1),
  "in JSON of PHP": (secret) =>
    JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/").replaceAll("ü", "\\u00fc"),
  "in JSON in JSON": (secret) => JSON.stringify(JSON.stringify(secret)).slice(1, -1),
  "in HTML": (secret) =>
    secret
      .replaceAll("&", "&amp;")
      .replaceAll('"', "&quot;")
      .replaceAll("/", "&sol;")
      .replaceAll("+", "&plus;"),
  "in HTML, by decimal numbers": (secret) => Array.from(secret, (one) => `&#${one.codePointAt(0)};`).join(""),
  "in HTML, by hexadecimal numbers": (secret) =>
    Array.from(secret, (one) => `&#x${one.codePointAt(0)?.toString(16)};`).join(""),
  "in hexadecimal digits": (secret) => Buffer.from(secret).toString("hex"),
  "in upper-case hexadecimal digits": (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
  "in base64": (secret) => Buffer.from(secret).toString("base64"),
  "in base64 behind one": (secret) => Buffer.from(`:${secret}`).toString("base64"),
  "in base64 behind two": (secret) => Buffer.from(`a:${secret}:z`).toString("base64"),
  "in base64url": (secret) => Buffer.from(`{${secret}}`).toString("base64url"),
  "in the bytes of UTF-8": (secret) => Buffer.from(secret).toString("latin1"),
};

const leastPiece = 10;
/** The least for entities: ten characters stand for only two or three, which other texts may have, too. */
const leastEntities = 48;

/** By length, every piece of a secret, with the secret and the spelling to which it belongs. */
const pieces = new Map([leastPiece, leastEntities].map((length) => [length, new Map<string, string>()]));
for (const [kind, secret] of Object.entries(planted))
  for (const [how, spell] of Object.entries(spellings)) {
    // The lines that enclose a key are no secret.
    const spelled = spell(secret.replaceAll(/-----[A-Z ]+-----/g, ""));
    const length = how.includes("numbers") ? leastEntities : leastPiece;
    for (let at = 0; at + length <= spelled.length; at++)
      pieces.get(length)?.set(spelled.slice(at, at + length), `${kind}, ${how}`);
  }

/** Returns the planted secrets of which a text has a piece, in any spelling. Reads a large text only once. */
export function findPlanted(text: string): string[] {
  const found = new Map<string, string>();
  for (const [length, owners] of pieces)
    for (let at = 0; at + length <= text.length; at++) {
      const piece = text.slice(at, at + length);
      const owner = owners.get(piece);
      if (owner !== undefined && !found.has(owner)) found.set(owner, piece);
    }
  return [...found].map(([owner, piece]) => `${owner}: ${piece}`);
}

import { createHash } from "node:crypto";

import type { DigestAuth } from "@bearhug/sdk";

import type { DigestChallenge } from "./digest-challenge.ts";

/** The values that a request adds to the challenge that it answers. */
export interface DigestUse {
  readonly method: string;
  /** Path and query as they are sent. */
  readonly path: string;
  /** The number of requests that have used the nonce, this one included. */
  readonly count: number;
  /** The client's own nonce. */
  readonly clientNonce: string;
}

/** The `authorization` of a request (RFC 7616, section 3.4), with qop `auth`, or as in RFC 2069 where the server knows none. */
export function answerChallenge(
  challenge: DigestChallenge,
  { username, password }: DigestAuth,
  { method, path, count, clientNonce }: DigestUse,
): string {
  const { realm, nonce, opaque, algorithm, hasQop, hashesUser } = challenge;
  const hash = (text: string): string =>
    createHash(algorithm.startsWith("SHA-256") ? "sha256" : "md5")
      .update(text)
      .digest("hex");
  const counted = count.toString(16).padStart(8, "0");
  const secret = hash(`${username}:${realm}:${password}`);
  const first = algorithm.endsWith("-sess") ? hash(`${secret}:${nonce}:${clientNonce}`) : secret;
  const second = hash(`${method}:${path}`);
  const between = hasQop ? `${nonce}:${counted}:${clientNonce}:auth` : nonce;
  const fields = [
    userField(hashesUser ? hash(`${username}:${realm}`) : username),
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(path)}`,
    `algorithm=${algorithm}`,
    `response="${hash(`${first}:${between}:${second}`)}"`,
    ...(opaque === null ? [] : [`opaque=${quoted(opaque)}`]),
    ...(hasQop ? [`qop=auth, nc=${counted}, cnonce="${clientNonce}"`] : []),
    ...(hashesUser ? ["userhash=true"] : []),
  ];
  return `Digest ${fields.join(", ")}`;
}

function userField(username: string): string {
  return /^[\x20-\x7e]*$/.test(username)
    ? `username=${quoted(username)}`
    : `username*=UTF-8''${encodeURIComponent(username).replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

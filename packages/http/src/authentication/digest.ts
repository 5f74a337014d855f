import { createHash } from "node:crypto";

import { setNewest } from "@bearhug/metrics/set-newest";
import type { RandomSource } from "@bearhug/plan/pacing/random-source";
import type { DigestAuth } from "@bearhug/sdk";

import type { WireRequest } from "../transport/transport.ts";

interface Login {
  readonly challenge: DigestChallenge;
  readonly clientNonce: string;
  /** Requests that have used the nonce. */
  count: number;
}

/** A test that logs in many users with one virtual user only needs the last ones. */
const maxLogins = 32;

/** The digest challenges that a virtual user has received. Later requests answer them in advance. */
export class DigestLogins {
  readonly #logins = new Map<string, Login>();

  /** Returns the `authorization` of a request; null if the server has not sent a challenge yet. */
  authorization(
    auth: DigestAuth,
    { method, path, origin }: Pick<WireRequest, "method" | "path" | "origin">,
  ): string | null {
    const login = this.#logins.get(keyOf(auth, origin.text));
    if (login === undefined) return null;
    const { challenge, clientNonce } = login;
    return answerChallenge(challenge, auth, { method, path, count: ++login.count, clientNonce });
  }

  /** Stores the challenge of a response with status 401. Returns false if none can be answered. */
  learn(auth: DigestAuth, origin: string, authenticate: readonly string[], random: RandomSource): boolean {
    const challenge = chooseChallenge(authenticate);
    if (challenge === null) return false;
    const login = { challenge, clientNonce: randomText(random), count: 0 };
    setNewest(this.#logins, keyOf(auth, origin), login, maxLogins);
    return true;
  }
}

function keyOf({ username, password }: DigestAuth, origin: string): string {
  return JSON.stringify([origin, username, password]);
}

function randomText(random: RandomSource): string {
  const word = (): string =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  return word() + word();
}

/** The values that a request adds to the challenge. */
interface DigestUse {
  readonly method: string;
  /** Path and query as they are sent. */
  readonly path: string;
  /** The number of requests that have used the nonce, this one included. */
  readonly count: number;
  /** The client's own nonce. */
  readonly clientNonce: string;
}

/** Returns the `authorization` of a request (RFC 7616, section 3.4; RFC 2069 for a server without qop). */
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

/** A server's digest challenge (RFC 7616, section 3.3). */
interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | null;
  readonly algorithm: DigestAlgorithm;
  /** False for servers older than RFC 2617, without `qop`: requests are then not counted. */
  readonly hasQop: boolean;
  readonly hashesUser: boolean;
}

type DigestAlgorithm = (typeof algorithms)[number];

/** The strongest first. */
const algorithms = ["SHA-256", "SHA-256-sess", "MD5", "MD5-sess"] as const;

/** Returns the strongest digest challenge in the `www-authenticate` values; null if none can be answered. */
export function chooseChallenge(values: readonly string[]): DigestChallenge | null {
  const usable = values
    .flatMap(splitChallenges)
    .flatMap(({ scheme, parameters }) => (scheme === "digest" ? [readChallenge(parameters)] : []))
    .filter((challenge) => challenge !== null);
  const rank = ({ algorithm }: DigestChallenge): number => algorithms.indexOf(algorithm);
  return usable.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

interface AnyChallenge {
  readonly scheme: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Matches a scheme, a parameter (with a quoted string or a token), or the characters between them. */
const piece = /([\w!#$%&'*+.^`|~-]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?|[^\w"]+|"/g;

/** Splits a field, which may hold several comma-separated challenges (RFC 9110, section 11.6.1). */
function splitChallenges(value: string): AnyChallenge[] {
  const challenges: { readonly scheme: string; readonly parameters: Map<string, string> }[] = [];
  for (const [, name, quoted, token] of value.matchAll(piece)) {
    if (name === undefined) continue;
    const text = quoted?.replaceAll(/\\(.)/g, "$1") ?? token;
    if (text === undefined) challenges.push({ scheme: name.toLowerCase(), parameters: new Map() });
    else challenges.at(-1)?.parameters.set(name.toLowerCase(), text);
  }
  return challenges;
}

function readChallenge(parameters: AnyChallenge["parameters"]): DigestChallenge | null {
  const [realm, nonce, qop] = [parameters.get("realm"), parameters.get("nonce"), parameters.get("qop")];
  const named = (parameters.get("algorithm") ?? "MD5").toLowerCase();
  const algorithm = algorithms.find((known) => known.toLowerCase() === named);
  const qops = qop?.toLowerCase().split(/[\s,]+/) ?? [];
  if (realm === undefined || nonce === undefined || algorithm === undefined) return null;
  if (qop !== undefined && !qops.includes("auth")) return null;
  return {
    realm,
    nonce,
    opaque: parameters.get("opaque") ?? null,
    algorithm,
    hasQop: qop !== undefined,
    hashesUser: parameters.get("userhash")?.toLowerCase() === "true",
  };
}

import type { DigestAuth } from "@bearhug/sdk";

import type { RandomSource } from "../../pacing/random-source.ts";
import type { WireRequest } from "../transport/transport.ts";
import { answerChallenge } from "./digest-answer.ts";
import { chooseChallenge, type DigestChallenge } from "./digest-challenge.ts";

interface Login {
  readonly challenge: DigestChallenge;
  readonly clientNonce: string;
  /** Requests that have used the nonce. */
  count: number;
}

/** A test that logs many users in with one virtual user needs the last ones alone. */
const mostLogins = 32;

/** The challenges that a virtual user has got: later requests answer them without being asked again. */
export class DigestLogins {
  readonly #logins = new Map<string, Login>();

  /** The `authorization` of a request; null where the server has not asked for one yet. */
  authorization(
    auth: DigestAuth,
    { method, path, origin }: Pick<WireRequest, "method" | "path" | "origin">,
  ): string | null {
    const login = this.#logins.get(keyOf(auth, origin.text));
    if (login === undefined) return null;
    const { challenge, clientNonce } = login;
    return answerChallenge(challenge, auth, { method, path, count: ++login.count, clientNonce });
  }

  /** Keeps the challenge of an answer with status 401; false where it has none that can be answered. */
  learn(auth: DigestAuth, origin: string, authenticate: readonly string[], random: RandomSource): boolean {
    const challenge = chooseChallenge(authenticate);
    if (challenge === null) return false;
    const key = keyOf(auth, origin);
    this.#logins.delete(key);
    const [oldest] = this.#logins.keys();
    if (oldest !== undefined && this.#logins.size >= mostLogins) this.#logins.delete(oldest);
    this.#logins.set(key, { challenge, clientNonce: randomText(random), count: 0 });
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

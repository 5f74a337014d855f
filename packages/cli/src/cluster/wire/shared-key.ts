import { scrypt, type ScryptOptions } from "node:crypto";

/**
 * The pre-shared key that an agent and its coordinator use in the TLS handshake to prove that they know the
 * token (RFC 8446).
 */
export interface SharedKey {
  readonly psk: Buffer;
  /** The key's identity in the handshake. It is the same for all tokens, so it reveals nothing. */
  readonly identity: string;
}

const identity = "bearhug";
const keyBytes = 32;

/**
 * An eavesdropper of a handshake can try tokens against it, so each try must cost 32 MiB and a tenth of a
 * second. The salt is fixed, because both sides need the key before they can exchange anything.
 */
const cost: ScryptOptions = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };
const salt = "bearhug agents and their coordinator";

const derived = new Map<string, Promise<SharedKey>>();

/** Returns the key of a token, derived once per process. */
export function sharedKeyOf(token: string): Promise<SharedKey> {
  const known = derived.get(token) ?? derive(token);
  derived.set(token, known);
  return known;
}

function derive(token: string): Promise<SharedKey> {
  return new Promise((resolve, reject) =>
    scrypt(token, salt, keyBytes, cost, (error, psk) => {
      if (error === null) resolve({ psk, identity });
      else reject(error);
    }),
  );
}

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Signs what the site hands out, so that it need not keep it. */
export interface Signer {
  readonly sign: (text: string) => string;
  readonly isSignature: (text: string, signature: unknown) => boolean;
}

/** Each has a key of its own: what one site signed, a site started later refuses. */
export function createSigner(key: Buffer = randomBytes(32)): Signer {
  const sign = (text: string): string => createHmac("sha256", key).update(text).digest("base64url");
  return {
    sign,
    isSignature: (text, signature) => {
      if (typeof signature !== "string") return false;
      const given = Buffer.from(signature);
      const expected = Buffer.from(sign(text));
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Signs tokens and numbers that the site hands out, so that it need not keep them. */
export interface Signer {
  readonly sign: (text: string) => string;
  readonly isSignature: (text: string, signature: unknown) => boolean;
}

/** Each signer has its own key: a site refuses the signatures of one that ran before it. */
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

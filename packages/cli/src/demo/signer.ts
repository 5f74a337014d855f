import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Signs tokens and numbers that the site issues, so that it need not store them. */
export interface Signer {
  readonly sign: (text: string) => string;
  readonly isSignature: (text: string, signature: unknown) => boolean;
}

/** Creates a signer. Each has its own key, so a site rejects signatures from before its restart. */
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

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

export function makeToken(): string {
  return randomBytes(24).toString("base64url");
}

/** Says that an agent and a coordinator have different tokens. */
export const hasOtherToken = "The coordinator has another token.";

/** The header with which an agent shows the token. */
export function showToken(token: string): string {
  return `Bearer ${token}`;
}

/** Compares in a time that tells nothing about the token. */
export function isShown(token: string, header: string | undefined): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(showToken(token)), digest(header ?? ""));
}

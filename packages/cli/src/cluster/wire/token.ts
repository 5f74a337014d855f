import { hash, randomBytes, timingSafeEqual } from "node:crypto";

export function makeToken(): string {
  return randomBytes(24).toString("base64url");
}

/** The message for an agent whose token differs from the coordinator's. */
export const otherTokenMessage = "The coordinator has another token.";

/** Returns the authorization header with the token. */
export function tokenHeader(token: string): string {
  return `Bearer ${token}`;
}

/**
 * True if the header contains the token. Takes constant time, so that its duration reveals nothing about the
 * token.
 */
export function hasToken(token: string, header: string | undefined): boolean {
  const digest = (text: string): Buffer => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(tokenHeader(token)), digest(header ?? ""));
}

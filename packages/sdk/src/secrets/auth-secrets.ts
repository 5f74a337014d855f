import type { Auth } from "../auth.ts";

/** What of it must not be written anywhere. */
export function authSecrets(auth: Auth): string[] {
  if ("bearer" in auth) return [auth.bearer];
  if ("password" in auth) return [auth.password];
  const { secretAccessKey, sessionToken } = auth;
  return sessionToken === undefined ? [secretAccessKey] : [secretAccessKey, sessionToken];
}

/** The last part of a login page's path: `/login`, `/users/sign_in`, `/wp-login.php`, `/realms/shop/auth`. */
const login = /^(?:(?:wp-)?log[-_]?in|sign[-_]?in|sso|auth|authorize)(?:\.\w+)?$/i;

/** Paths whose visitor expects a login page: those of logging in itself, and of logging out. */
const ofSessions = /log[-_]?in|sign[-_]?in|sso|auth|(?:log|sign)[-_]?(?:out|off)|session/i;

/**
 * Returns true if a visitor of the path `from` who is redirected to the path `to` is probably not logged in,
 * but should be.
 */
export function isSentToLogin(from: string, to: string): boolean {
  const last = partsOf(to).at(-1) ?? "";
  return login.test(last) && !ofSessions.test(partsOf(from).join("/"));
}

/** Returns the parts of a path without its query, and without parameters such as `;jsessionid=…`. */
function partsOf(path: string): string[] {
  return path
    .replace(/[?#].*$/, "")
    .replaceAll(/;[^/]*/g, "")
    .split("/")
    .filter((part) => part !== "");
}

/** The statuses of redirects that browsers follow; 300 and 304 are responses to use as they are. */
export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Returns true if a redirect is followed with GET and without a body, as browsers read RFC 9110 (section 15.4): a form is
 * not sent again, except after 307 and 308. `method` is in upper case.
 */
export function becomesGet(status: number, method: string): boolean {
  return status === 303 ? method !== "HEAD" : status <= 302 && method === "POST";
}

/**
 * Methods that change data, as a person's actions do. The requests of a loading page rarely have one of them.
 */
export const modifyingMethods: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

import { describeValue } from "@bearhug/text/describe-value";

import { invalid } from "./request-fault.ts";

/** The syntax of a method (RFC 9110, section 5.6.2). */
const token = /^[\w!#$%&'*+\-.^`|~]+$/;

/** Methods that need no normalization. */
const usual: ReadonlySet<unknown> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);

/** Returns a test's method as it is sent. @throws {RequestFault} if it is not a string */
export function methodOf(method: unknown): string {
  if (typeof method === "string") return usual.has(method) ? method : method.toUpperCase();
  throw invalid(`A method must be a string such as "GET", but is ${describeValue(method)}.`);
}

/** @throws {RequestFault} for a method that cannot be sent */
export function validateMethod(method: string): void {
  if (!token.test(method)) throw invalid(`${JSON.stringify(method)} is not an HTTP method.`);
  if (method === "CONNECT") {
    throw invalid(
      "CONNECT opens a tunnel and is not a request: to send requests through a proxy, set http.proxy.",
    );
  }
}

import { exitCodes } from "../../exit-codes.ts";
import type { Ending, Reason } from "./ending.ts";

/** Says where a one-liner was redirected: it measured the redirect, which may be all that its user does not want to know. */
export function unfollowedRedirect({ firstRedirect }: Ending): Reason[] {
  if (firstRedirect === null) return [];
  const { name, status, location } = firstRedirect;
  const message = `${name} redirects to ${location} (status ${status}), which was not followed. To load that page, give its address`;
  return [{ code: exitCodes.passed, message }];
}

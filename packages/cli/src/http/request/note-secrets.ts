import type { RequestOptions } from "@bearhug/sdk";

import type { SeenSecrets } from "../../seen-secrets.ts";

/** Logins have few fields; a large object is data. */
const mostFields = 50;

/** Tells the mask what a test sends under names that make it secret. A value that it sends again costs a look-up. */
export function noteSecrets({ headers, auth, form, json }: RequestOptions, seen: SeenSecrets): void {
  if (auth !== undefined) seen.field("password", "bearer" in auth ? auth.bearer : auth.password);
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === "string") seen.header(name, value);
    else for (const one of value ?? []) seen.header(name, one);
  }
  for (const name in form) {
    const value = form[name];
    for (const one of Array.isArray(value) ? value : [value])
      if (typeof one === "string") seen.field(name, one);
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) return;
  let looked = 0;
  for (const [name, value] of Object.entries(json)) {
    if (++looked > mostFields) break;
    if (typeof value === "string") seen.field(name, value);
  }
}

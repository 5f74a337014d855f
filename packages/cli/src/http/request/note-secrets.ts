import type { RequestOptions } from "@bearhug/sdk";
import { authSecrets } from "@bearhug/sdk/internal";

import type { SeenSecrets } from "../../seen-secrets.ts";
import { isNodeFormData } from "./form-data.ts";
import { pairsOf } from "./pairs.ts";

/** Logins have few fields; a large object is data. */
const mostFields = 50;

/** Tells the mask what a test sends under names that make it secret. A value that it sends again costs a look-up. */
export function noteSecrets(options: RequestOptions, seen: SeenSecrets): void {
  const { headers, cookies, auth, form, multipart, json, body } = options;
  if (auth !== undefined && auth !== "none")
    for (const secret of authSecrets(auth)) seen.field("password", secret);
  if (headers !== undefined) {
    for (const [name, value] of pairsOf<string | readonly string[]>(headers)) {
      if (typeof value === "string") seen.header(name, value);
      else for (const one of value) seen.header(name, one);
    }
  }
  if (cookies !== undefined)
    for (const [name, value] of Object.entries(cookies)) seen.cookie(`${name}=${value}`);
  if (form !== undefined) noteFields(form, seen);
  if (multipart !== undefined) noteFields(multipart, seen);
  if (body instanceof URLSearchParams || isNodeFormData(body)) noteFields(body, seen);
  if (typeof json !== "object" || json === null || Array.isArray(json)) return;
  let looked = 0;
  for (const [name, value] of Object.entries(json)) {
    if (++looked > mostFields) break;
    if (typeof value === "string") seen.field(name, value);
  }
}

function noteFields(
  fields: Readonly<Record<string, unknown>> | Iterable<readonly [name: string, value: unknown]>,
  seen: SeenSecrets,
): void {
  for (const [name, value] of pairsOf(fields)) {
    for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value])
      if (typeof one === "string") seen.field(name, one);
  }
}

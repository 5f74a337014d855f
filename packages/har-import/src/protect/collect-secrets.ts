import { isSecretHeader } from "@bearhug/text/secrets/secret-names";
import { readBase64Text } from "../base64.ts";
import type { CapturedRequest, CaptureModel } from "../capture-model.ts";
import { splitCookie, type CaptureEntry, type PostData } from "../capture.ts";
import { visitAtoms } from "../map-atoms.ts";
import { isWithheld } from "../missing-body.ts";
import { isBuildHeader } from "../secrets/build-headers.ts";
import { isAnalyticsCookie } from "../secrets/cookie-names.ts";
import { findSecrets, type FoundSecret } from "../secrets/find-secrets.ts";
import { isRandomCookieValue, KnownSecrets, reachOf } from "../secrets/known-secrets.ts";
import { isPhoneNumber } from "../secrets/login-fields.ts";
import { findAtomSecrets } from "./atom-secrets.ts";
import { findLoginNames, type PasswordFields } from "./credentials.ts";

export interface CollectedSecrets {
  readonly known: KnownSecrets;
  readonly passwords: PasswordFields;
  /** E-mail addresses of logins: the test needs a real one. */
  readonly loginEmails: ReadonlySet<string>;
  /** All other e-mail addresses: an example can replace them. */
  readonly otherEmails: ReadonlySet<string>;
  /** The entries that send a password. */
  readonly logins: ReadonlySet<number>;
  /** User names of logins, in lower case. */
  readonly loginNames: ReadonlySet<string>;
}

/** Collects all secrets in the requests of a model, whichever request reveals them. */
export function collectSecrets(
  model: CaptureModel,
  capturedSecrets: readonly string[],
  passwords: PasswordFields,
): CollectedSecrets {
  const known = new KnownSecrets();
  const logins = new Set<number>();
  const emails = new Map<string, CapturedRequest[]>();
  visitAtoms(model, (atom, place) => {
    for (const part of atom.value) {
      if (part.kind !== "text") continue;
      const found = findAtomSecrets(part.text, atom, place, passwords);
      known.addFound(part.text, found);
      if (place.kind === "cookie") addCookie(known, atom.name, part.text);
      if (place.request === null) continue;
      for (const email of emailsIn(part.text, found))
        emails.set(email, [...(emails.get(email) ?? []), place.request]);
      if (found.some(({ kind }) => kind === "password")) logins.add(place.request.entryIndex);
    }
  });
  for (const secret of capturedSecrets) known.add(secret, "", "secret");
  const loginNames = findLoginNames(model, logins);
  // Phone numbers identify a person, as e-mail addresses do.
  for (const name of loginNames) if (isPhoneNumber(name)) known.add(name, "phone", "email");
  const loginEmails = new Set<string>();
  for (const [email, requests] of emails) {
    if (!requests.some(({ entryIndex }) => logins.has(entryIndex))) continue;
    loginEmails.add(email);
    known.add(email, "email", "email");
  }
  return {
    known,
    passwords,
    logins,
    loginNames,
    loginEmails,
    otherEmails: new Set([...emails.keys()].filter((email) => !loginEmails.has(email))),
  };
}

/**
 * Adds a cookie's value if it is random: then it occurs nowhere else by chance. The cookie's name must be
 * sent as it is.
 */
function addCookie(known: KnownSecrets, name: string, value: string): void {
  if (isRandomCookieValue(value)) known.add(value, `cookie_${name}`, "secret");
}

function emailsIn(text: string, found: readonly FoundSecret[]): string[] {
  return found
    .filter(({ kind }) => kind === "email")
    .flatMap(({ start, end, inner }) => [text.slice(start, end), ...inner]);
}

/** Longer values hardly ever repeat. */
const maxRemembered = 4_096;
const addresses = new Set(["referer", "location", "content-location", "refresh", "link"]);

/**
 * Collects the secrets of all requests, replayed or not: credentials, cookies, secrets in addresses and bodies. They may
 * occur in a title, or where no name gives them away.
 */
export function secretsOfEntries(entries: readonly CaptureEntry[], titles: readonly string[] = []): string[] {
  const seen = new Set<string>();
  const secrets = new Set<string>();
  /** Values of build headers, which are no secrets: Next.js also writes the id of an action into its form. */
  const built = new Set<string>();
  const add = (text: string, name: string, isHeader: boolean): void => {
    const key = text.length < maxRemembered ? `${name}\n${text}` : "";
    if (text === "" || (key !== "" && seen.has(key))) return;
    seen.add(key);
    for (const found of findSecrets(text, name, { isHeader, mayBeRandom: true })) {
      if (found.kind === "email") continue;
      for (const one of [text.slice(found.start, found.end), ...found.inner])
        if (reachOf(one, found.kind, found.name) === "anywhere") secrets.add(one);
    }
  };
  const addCookie = (name: string, value: string): void => {
    add(value, name, false);
    if (isRandomCookieValue(value) && !isAnalyticsCookie(name)) secrets.add(value);
  };
  const addBody = ({ text, isBase64, params }: PostData): void => {
    add((isBase64 ? readBase64Text(text) : null) ?? text, "", false);
    for (const { name, value } of params) add(value, name, false);
  };
  for (const { request, response } of entries) {
    for (const [name, value] of request.cookies) addCookie(name, value);
    for (const [name, value] of [...request.headers, ...(response?.headers ?? [])]) {
      const lower = name.toLowerCase();
      if (lower === "cookie") continue;
      if (isBuildHeader(name)) built.add(value);
      if (lower === "set-cookie") addCookie(...splitCookie(value.split(";", 1).join("")));
      else if (isSecretHeader(name)) add(value, name, true);
      else if (addresses.has(lower)) add(value, "", false);
    }
    add(request.url, "", false);
    if (response !== null) add(response.redirectUrl, "", false);
    if (request.postData !== null && !isWithheld(request.postData)) addBody(request.postData);
  }
  for (const title of titles) add(title, "", false);
  return [...secrets].filter((secret) => !built.has(secret));
}

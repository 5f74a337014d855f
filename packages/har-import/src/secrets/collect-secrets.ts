import type { CapturedRequest, CaptureModel } from "../capture-model.ts";
import { mapAtoms } from "../request/map-atoms.ts";
import { findAtomSecrets } from "./atom-secrets.ts";
import { isMadeUpCookieName } from "./cookie-names.ts";
import type { FoundSecret } from "./find-secrets.ts";
import { isOnesOwn, KnownSecrets } from "./known-secrets.ts";

export interface CollectedSecrets {
  readonly known: KnownSecrets;
  /** Addresses that log somebody in: the test needs a real one. */
  readonly loginEmails: ReadonlySet<string>;
  /** Addresses of which any other will do. */
  readonly otherEmails: ReadonlySet<string>;
  /** Requests that send a password. */
  readonly logins: ReadonlySet<number>;
}

/** All that is secret in the requests of a model, whichever request shows it. */
export function collectSecrets(model: CaptureModel, alsoSecret: readonly string[]): CollectedSecrets {
  const known = new KnownSecrets();
  const logins = new Set<number>();
  const emails = new Map<string, CapturedRequest[]>();
  mapAtoms(model, (atom, place) => {
    for (const part of atom.value) {
      if (part.kind !== "text") continue;
      const found = findAtomSecrets(part.text, atom, place);
      known.addFound(
        part.text,
        found.filter(({ kind }) => kind !== "email"),
      );
      if (place.kind === "cookie") addCookie(known, atom.name, part.text);
      if (place.request === null) continue;
      for (const email of emailsIn(part.text, found))
        emails.set(email, [...(emails.get(email) ?? []), place.request]);
      if (found.some(({ kind }) => kind === "password")) logins.add(place.request.entryIndex);
    }
    return atom.value;
  });
  for (const secret of alsoSecret) known.add(secret, "", "secret");
  const loginEmails = new Set<string>();
  for (const [email, requests] of emails) {
    if (!requests.some(({ entryIndex }) => logins.has(entryIndex))) continue;
    loginEmails.add(email);
    known.add(email, "email", "email");
  }
  return {
    known,
    logins,
    loginEmails,
    otherEmails: new Set([...emails.keys()].filter((email) => !loginEmails.has(email))),
  };
}

/** What a cookie holds is nowhere else by chance if nobody typed it; nor is a name that tells one visitor from others. */
function addCookie(known: KnownSecrets, name: string, value: string): void {
  if (isOnesOwn(value)) known.add(value, `cookie_${name}`, "secret");
  if (isMadeUpCookieName(name)) known.add(name, "cookie", "secret");
}

function emailsIn(text: string, found: readonly FoundSecret[]): string[] {
  return found
    .filter(({ kind }) => kind === "email")
    .flatMap(({ start, end, inner }) => [text.slice(start, end), ...inner]);
}

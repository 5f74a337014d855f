import {
  isAmbiguousName,
  isPasswordName,
  isSecretHeader,
  isSecretName,
} from "@bearhug/text/secrets/secret-names";

import type { CaptureModel, CapturedRequest, JsonShape } from "../capture-model.ts";
import { type AtomPlace, visitAtoms } from "../map-atoms.ts";
import { isUserField, isPasswordBeside } from "../secrets/login-fields.ts";
import { findCardNumbers } from "../secrets/secret-looks.ts";
import { findWellKnown } from "../secrets/secret-shapes.ts";
import { type Atom, knownText } from "../value.ts";

/** Tokens that sites issue with a page. A recorded one is worthless, and no user can supply another. */
const issuedToken = /csrf|xsrf|wpnonce/;
/** Placeholder names: the value is secret by its looks alone. */
const placeholderNames = new Set(["", "path_token"]);

/**
 * Separates secrets that grant access or that only a person can supply (a user's name and password, an
 * authorization, an API key, a card number) from those that a site mostly does without: cookies, and texts
 * that are secret by their looks alone.
 */
export class Credentials {
  readonly #logins: ReadonlySet<number>;
  /** Names of the cookies that a page's script sends as an authorization. */
  readonly #cookies: ReadonlySet<string>;

  readonly #passwords: PasswordFields;

  /** @param logins The entries that send a password. */
  constructor(model: CaptureModel, logins: ReadonlySet<number>, passwords: PasswordFields) {
    this.#logins = logins;
    this.#passwords = passwords;
    this.#cookies = findCookiesInHeaders(model);
  }

  /** @param secretName The name of the secret; `cookie_…` if a cookie has it, too. */
  has(secret: string, secretName: string, atom: Atom, place: AtomPlace): boolean {
    const { name } = atom;
    if (place.kind === "cookie") return this.#cookies.has(name);
    const known = secretName.startsWith("cookie_") ? name : secretName;
    if (isIssuedToken(name) || isIssuedToken(known)) return false;
    if (known === "email" || known === "phone") return true;
    if (isPasswordName(known) || isPasswordName(name) || this.#passwords.has(secret, atom, place))
      return true;
    if (place.kind === "header" && isSecretHeader(name)) return true;
    if (!placeholderNames.has(known) && isSecretName(known) && !isAmbiguousName(known)) return true;
    if (findWellKnown(secret).length > 0 || findCardNumbers(secret).length > 0) return true;
    return isLoginName(atom, place, this.#logins);
  }
}

function findCookiesInHeaders(model: CaptureModel): Set<string> {
  const names = new Set<string>();
  visitAtoms(model, ({ name, value }, { kind }) => {
    if (kind !== "header" || !isSecretHeader(name) || isIssuedToken(name)) return;
    for (const part of value) if (part.kind === "cookie") names.add(part.name);
  });
  return names;
}

function isIssuedToken(name: string): boolean {
  return issuedToken.test(name.toLowerCase().replace(/[^a-z]/g, ""));
}

/** Returns true for the user name of a login. `logins` are the entries that send a password. */
export function isLoginName(atom: Atom, place: AtomPlace, logins: ReadonlySet<number>): boolean {
  const isLogin = place.request !== null && logins.has(place.request.entryIndex);
  return isLogin && isBodyField(place) && isUserField(atom.name);
}

/** Returns true for a named value in the body of a request. */
export function isBodyField({ kind }: AtomPlace): boolean {
  return kind === "form" || kind === "json" || kind === "multipart";
}

/** Returns the user names of logins, in lower case. */
export function findLoginNames(model: CaptureModel, logins: ReadonlySet<number>): Set<string> {
  const names = new Set<string>();
  visitAtoms(model, (atom, place) => {
    const text = isLoginName(atom, place, logins) ? knownText(atom.value) : null;
    if (text !== null) names.add(text.toLowerCase());
  });
  return names;
}

/** Recognizes password fields that their names alone do not reveal. */
export class PasswordFields {
  readonly #inputs: ReadonlySet<string>;
  readonly #names = new WeakMap<CapturedRequest, readonly string[]>();

  /** @param inputs Names of the fields that the capture's HTML displays as passwords. */
  constructor(inputs: ReadonlySet<string>) {
    this.#inputs = inputs;
  }

  /**
   * Returns true for a form field that hides what is typed, and for a field that is a password because a user
   * field is beside it.
   */
  has(text: string, { name }: Atom, place: AtomPlace): boolean {
    const { kind, request } = place;
    if (text === "" || request === null || !isBodyField(place)) return false;
    const isInput = this.#inputs.has(name);
    if (isInput && kind !== "json") return true;
    const others = this.#namesIn(request);
    // A JSON key with the name of such a field may mean anything.
    if (isInput) return others.some(isUserField);
    const isBesideInput = others.some((other) => this.#inputs.has(other));
    return isPasswordBeside(name, text, isBesideInput ? ["user", ...others] : others);
  }

  #namesIn(request: CapturedRequest): readonly string[] {
    let names = this.#names.get(request);
    if (names === undefined) this.#names.set(request, (names = [...new Set(namesOf(request))]));
    return names;
  }
}

function namesOf({ body }: CapturedRequest): string[] {
  if (body?.kind === "form") return body.fields.map(({ name }) => name);
  if (body?.kind === "multipart") return body.parts.map(({ atom }) => atom.name);
  return body?.kind === "json" ? keysOf(body.root) : [];
}

function keysOf(shape: JsonShape): string[] {
  if (shape.kind === "list") return shape.items.flatMap(keysOf);
  return shape.kind === "object" ? shape.fields.flatMap(([key, value]) => [key, ...keysOf(value)]) : [];
}

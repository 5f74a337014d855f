import type { CapturedRequest, JsonShape } from "../capture-model.ts";
import type { AtomPlace } from "../map-atoms.ts";
import { isPasswordBeside, isUserField } from "../secrets/login-fields.ts";
import type { Atom } from "../value.ts";

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
  has(text: string, { name }: Atom, { kind, request }: AtomPlace): boolean {
    if (text === "" || request === null) return false;
    if (kind !== "form" && kind !== "multipart" && kind !== "json") return false;
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

import type { CapturedRequest, JsonShape } from "../capture-model.ts";
import type { AtomPlace } from "../map-atoms.ts";
import { isPasswordBeside, isUserField } from "../secrets/login-fields.ts";
import type { Atom } from "../value.ts";

/** Tells which fields of requests are passwords although their names alone do not say so. */
export class PasswordFields {
  readonly #inputs: ReadonlySet<string>;
  readonly #names = new WeakMap<CapturedRequest, readonly string[]>();

  /** @param inputs Names of the fields that the capture's HTML shows as passwords. */
  constructor(inputs: ReadonlySet<string>) {
    this.#inputs = inputs;
  }

  /** Returns true for a field of a form that hides what is typed, and for one that is a password beside who logs in. */
  has(text: string, { name }: Atom, { kind, request }: AtomPlace): boolean {
    if (text === "" || request === null) return false;
    if (kind !== "form" && kind !== "multipart" && kind !== "json") return false;
    const isInput = this.#inputs.has(name);
    if (isInput && kind !== "json") return true;
    const others = this.#namesIn(request);
    // A key of JSON may have the name of a field and be anything.
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

import { inspect } from "node:util";

import { noteFault } from "@bearhug/plan/protocol/own-faults";
import { BearhugError } from "@bearhug/sdk";
import { closestName } from "@bearhug/sdk/internal";

/** A name that the test reads and does not declare. */
class UnknownName extends BearhugError {
  override readonly name = "UnknownName";
  readonly code = "UNKNOWN_NAME";
}

/** An object of the context, in words. */
export interface NamedThing {
  /** As a test writes it: `env`. */
  readonly path: string;
  /** `no such variable`. */
  readonly lacks: string;
  /** The names that are known, for those that the object itself lacks. */
  readonly known: () => readonly string[];
}

/**
 * A prototype for objects whose names are known: to read another name throws, with the nearest one, because `undefined`
 * would become part of an address. JavaScript asks a prototype only for what the object itself lacks, so a name that it has
 * costs nothing more. To code that asks, they are plain objects.
 */
export function prototypeFor({ path, lacks, known }: NamedThing): object {
  return new Proxy(Object.prototype, {
    get(target, name, receiver) {
      if (name === inspect.custom) return printPlainly;
      if (typeof name === "symbol" || name in target || isAskedOfAnything(name))
        return Reflect.get(target, name, receiver) as unknown;
      const names = known();
      if (names.includes(name)) return undefined;
      throw noteFault(new UnknownName(`${path}.${name}: ${lacks}. ${hintFor(name, names)}`));
    },
  });
}

/** `console.log` prints the object as if it had the usual prototype. */
function printPlainly(this: object): object {
  return { ...this };
}

/** Gives a new object the prototype. */
export function withPrototype<T extends object>(value: T, prototype: object): T {
  Object.setPrototypeOf(value, prototype);
  return value;
}

/** True for names that JavaScript and those who print or compare values look for in any object. */
function isAskedOfAnything(name: string): boolean {
  return name.startsWith("@@") || askedOfAnything.has(name);
}

const askedOfAnything: ReadonlySet<string> = new Set([
  "then",
  "toJSON",
  "length",
  "href",
  "nodeType",
  "tagName",
  "asymmetricMatch",
  "$$typeof",
]);

function hintFor(name: string, names: readonly string[]): string {
  const meant = closestName(name, names);
  if (meant !== undefined) return `Did you mean ${meant}?`;
  return names.length === 0 ? "There are none." : `There are: ${names.slice(0, mostNamed).join(", ")}.`;
}

const mostNamed = 20;

/** The variables of a test as its code sees them. */
export function declaredEnv<T extends object>(env: T): T {
  const known = (): string[] => Object.keys(env);
  return withPrototype(
    env,
    prototypeFor({ path: "env", lacks: "the test declares no such variable", known }),
  );
}

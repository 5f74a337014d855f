import { inspect } from "node:util";

import { noteFault } from "@bearhug/plan/protocol/test-faults";
import { BearhugError } from "@bearhug/sdk";
import { didYouMean } from "@bearhug/text/closest-name";

/** Thrown when the test reads a name that it does not declare. */
class UnknownName extends BearhugError {
  override readonly name = "UnknownName";
  readonly code = "UNKNOWN_NAME";
}

/** Describes an object of the context for messages. */
export interface NamedThing {
  /** The object as the test's source has it: `env`. */
  readonly path: string;
  /** The problem with an unknown name: `no such variable`. */
  readonly lacks: string;
  /** Returns the names that are valid even where this object lacks them. */
  readonly known: () => readonly string[];
}

/**
 * Creates a prototype for objects with a fixed set of names. Reading any other name throws and suggests the
 * nearest one, because `undefined` would become part of an address. JavaScript reads a prototype only for
 * names that the object itself lacks, so existing names cost nothing extra. To other code, these are plain
 * objects.
 */
export function prototypeFor({ path, lacks, known }: NamedThing): object {
  return new Proxy(Object.prototype, {
    get(target, name, receiver) {
      if (name === inspect.custom) return printPlainly;
      if (typeof name === "symbol" || name in target || isCommonProbe(name))
        return Reflect.get(target, name, receiver) as unknown;
      const names = known();
      if (names.includes(name)) return undefined;
      throw noteFault(new UnknownName(`${path}.${name}: ${lacks}. ${hintFor(name, names)}`));
    },
  });
}

/** Makes `console.log` print the object as if it had the usual prototype. */
function printPlainly(this: object): object {
  return { ...this };
}

/** Sets the prototype of a new object. */
export function withPrototype<T extends object>(value: T, prototype: object): T {
  Object.setPrototypeOf(value, prototype);
  return value;
}

/** True for names that JavaScript, and code that prints or compares values, reads on any object. */
function isCommonProbe(name: string): boolean {
  return name.startsWith("@@") || commonProbes.has(name);
}

const commonProbes: ReadonlySet<string> = new Set([
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
  const all = names.length === 0 ? "There are none." : `There are: ${names.slice(0, maxNamed).join(", ")}.`;
  return didYouMean(name, names, all);
}

const maxNamed = 20;

/** Turns the test's variables into `env` of its context, on which reading an undeclared name throws. */
export function declaredEnv<T extends object>(env: T): T {
  const known = (): string[] => Object.keys(env);
  return withPrototype(
    env,
    prototypeFor({ path: "env", lacks: "the test declares no such variable", known }),
  );
}

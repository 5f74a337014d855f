/** Returns true for a plain object, which is neither an instance of a class nor an array. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Describes a value in a few words. It never contains texts, because they may be secrets. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value === "" ? "an empty string" : "a string";
    case "number":
    case "boolean":
    case "undefined":
      return String(value);
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? "an array" : isPlain(value) ? "an object" : classOf(value);
    case "bigint":
    case "function":
    case "symbol":
      return `a ${typeof value}`;
  }
}

function classOf(value: object): string {
  const { name } = value.constructor;
  if (name === "") return "of a class";
  return `${/^(?:[AEIO]|U(?!RL))/.test(name) ? "an" : "a"} ${name}`;
}

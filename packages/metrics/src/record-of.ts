/** Returns a record with a value for each of these names. */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}

/** Returns the names of a record whose names are known. */
export function namesOf<Name extends string>(record: Readonly<Partial<Record<Name, unknown>>>): Name[] {
  return Object.keys(record) as Name[];
}

/**
 * Does the work for each name, some at a time, since runs mostly wait for a visitor's think time.
 * Returns, by name, "passed" or the error.
 */
export async function severalAtOnce(
  names: readonly string[],
  atATime: number,
  work: (name: string) => Promise<void>,
): Promise<Readonly<Record<string, string>>> {
  const waiting = [...names];
  const outcomes = new Map<string, string>();
  const next = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      outcomes.set(
        name,
        await work(name).then(
          () => "passed",
          (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
        ),
      );
    }
  };
  await Promise.all(Array.from({ length: atATime }, next));
  return Object.fromEntries(names.map((name) => [name, outcomes.get(name) ?? "not begun"]));
}

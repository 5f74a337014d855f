import { InvalidInput } from "@bearhug/sdk";

/** Reads a part of a command line and adds a sentence to `problems` for each mistake in it. */
type Reader<Read> = (problems: string[]) => Read;

/** Returns every problem that the reader finds, once each. */
export function problemsOf(read: Reader<unknown>): string[] {
  const problems: string[] = [];
  read(problems);
  return [...new Set(problems)];
}

/** Returns what was read. The reader may return null only if it finds a problem. @throws {InvalidInput} */
export function readOrThrow<Read>(read: Reader<Read | null>): Read {
  const problems: string[] = [];
  const value = read(problems);
  if (value === null || problems.length > 0) throw new InvalidInput([...new Set(problems)]);
  return value;
}

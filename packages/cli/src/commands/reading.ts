import { InvalidInput } from "@bearhug/sdk";
import type { Command, OptionValues } from "commander";

/** Reads a part of a command line and adds a sentence to `problems` for each mistake in it. */
type Reader<Read> = (problems: string[]) => Read;

/** Reads the operands and options of a command. It may return null only if it finds a problem. */
type LineReader<Flags, Read> = (operands: readonly string[], flags: Flags, problems: string[]) => Read | null;

const readers = new WeakMap<Command, (operands: readonly string[], problems: string[]) => unknown>();

/** Has `findProblems` read the command's line with this reader. */
export function addReader<Flags extends OptionValues>(
  command: Command,
  read: LineReader<Flags, unknown>,
): Command {
  readers.set(command, (operands, problems) => read(operands, command.opts<Flags>(), problems));
  return command;
}

/** Has the command do this work with what the reader returns, or throw all problems that it finds. */
export function addAction<Flags extends OptionValues, Read>(
  command: Command,
  read: LineReader<Flags, Read>,
  work: (read: Read, flags: Flags) => Promise<void>,
): Command {
  return addReader(command, read).action(() => {
    const flags = command.opts<Flags>();
    return work(
      readOrThrow((problems) => read(command.args, flags, problems)),
      flags,
    );
  });
}

/** Returns every problem with a command's line, once each. Its options are already set in the command. */
export function findProblems(operands: readonly string[], command: Command): string[] {
  const problems: string[] = [];
  readers.get(command)?.(operands, problems);
  return [...new Set(problems)];
}

/** Returns what was read. The reader may return null only if it finds a problem. @throws {InvalidInput} */
export function readOrThrow<Read>(read: Reader<Read | null>): Read {
  const problems: string[] = [];
  const value = read(problems);
  if (value === null || problems.length > 0) throw new InvalidInput([...new Set(problems)]);
  return value;
}

import { Command, CommanderError } from "commander";

import { closestName } from "@bearhug/sdk";

import { exitCodes } from "./exit-codes.ts";
import { printable } from "./format/printable.ts";
import { InvalidInput } from "./invalid-input.ts";
import { version } from "./version.ts";

/** Imported when they are asked for: a command costs what it uses. */
const commands: Readonly<Record<string, () => Promise<{ createCommand(): Command }>>> = {
  run: () => import("./commands/run.ts"),
  bench: () => import("./commands/bench.ts"),
  report: () => import("./commands/report.ts"),
  mock: () => import("./commands/mock.ts"),
  demo: () => import("./commands/demo.ts"),
  doctor: () => import("./commands/doctor.ts"),
};

/** What stands first on the command line decides which command is needed; anything that is none may be an address. */
async function createProgram(first: string | undefined): Promise<Command> {
  const program = new Command("bearhug")
    .description("Find out what your site can take before the front page does.")
    .usage("<url> [options]  |  <command> [options]")
    .version(version, "-v, --version")
    .showSuggestionAfterError()
    .exitOverride();
  const wanted =
    first === undefined || first.startsWith("-") || first === "help"
      ? Object.keys(commands)
      : [commandFor(first)];
  for (const name of wanted) {
    const command = (await commands[name]?.())?.createCommand();
    if (command === undefined) continue;
    program.addCommand(command.exitOverride(), { isDefault: name === "bench" && first !== undefined });
  }
  return program;
}

/** An address needs no command; another word that is none is a slip. */
function commandFor(first: string): string {
  if (Object.hasOwn(commands, first)) return first;
  if (/[.:/]/.test(first) || first === "localhost") return "bench";
  const meant = closestName(first, Object.keys(commands));
  const hint = meant === undefined ? "See bearhug --help." : `Did you mean ${meant}?`;
  throw new InvalidInput([`"${first}" is neither a command nor an address. ${hint}`]);
}

/** One sentence for each problem of the user's; a bug of ours with all that helps to find it. */
function explain(error: unknown): number {
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.passed : exitCodes.invalidInput;
  if (error instanceof InvalidInput) {
    for (const problem of error.problems) process.stderr.write(`bearhug: ${printable(problem)}\n`);
    return exitCodes.invalidInput;
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `bearhug: this is a bug in bearhug ${version}, please report it with these lines:\n${details}\n`,
  );
  return exitCodes.bug;
}

const [, , ...arguments_] = process.argv;
try {
  const program = await createProgram(arguments_[0]);
  if (arguments_.length === 0) program.help();
  await program.parseAsync(process.argv);
} catch (error) {
  process.exitCode = explain(error);
}

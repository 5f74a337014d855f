import { Command, CommanderError } from "commander";

import { closestName } from "@bearhug/sdk";

import type { FindProblems } from "./commands/judge-command-line.ts";
import { exitCodes } from "./exit-codes.ts";
import { printable } from "./format/printable.ts";
import { InvalidInput } from "./invalid-input.ts";
import { version } from "./version.ts";

/** Imported when they are asked for: a command costs what it uses. */
const commands: Readonly<Record<string, () => Promise<CommandModule>>> = {
  run: () => import("./commands/run.ts"),
  bench: () => import("./commands/bench.ts"),
  report: () => import("./commands/report.ts"),
  mock: () => import("./commands/mock.ts"),
  demo: () => import("./commands/demo.ts"),
  doctor: () => import("./commands/doctor.ts"),
};

interface CommandModule {
  createCommand(): Command;
  readonly findProblems?: FindProblems;
}

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

/** Refuses what the command that is meant cannot understand. @throws {InvalidInput} with everything that is wrong */
async function judge(program: Command, arguments_: readonly string[]): Promise<void> {
  const [first = ""] = arguments_;
  const end = arguments_.indexOf("--");
  const options = end === -1 ? arguments_ : arguments_.slice(0, end);
  if (["help", "-v", "--version"].includes(first) || options.some((text) => /^(-h|--help)$/.test(text)))
    return;
  const name = Object.hasOwn(commands, first) ? first : "bench";
  const command = program.commands.find((one) => one.name() === name);
  if (command === undefined) return;
  const { judgeCommandLine } = await import("./commands/judge-command-line.ts");
  const { findProblems = () => [] } = (await commands[name]?.()) ?? {};
  judgeCommandLine(command, first === name ? arguments_.slice(1) : arguments_, findProblems);
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
  await judge(program, arguments_);
  await program.parseAsync(process.argv);
} catch (error) {
  process.exitCode = explain(error);
}

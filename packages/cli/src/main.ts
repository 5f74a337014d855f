import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import { InvalidInput } from "@bearhug/sdk";
import { closestName, didYouMean } from "@bearhug/text/closest-name";
import { bindTextOutput } from "@bearhug/text/text-output";
import { version } from "@bearhug/text/version";
import { Command, CommanderError } from "commander";

type Commands = Readonly<Record<string, () => Promise<CommandModule>>>;

/**
 * Commands by purpose, in the order of the help. Imported on demand, so that a command loads only what it
 * uses.
 */
const commandGroups: Readonly<Record<string, Commands>> = {
  Start: {
    init: () => import("./commands/start/init.ts"),
    demo: () => import("./commands/start/demo.ts"),
    record: () => import("./commands/import/record.ts"),
    import: () => import("./commands/import/import.ts"),
  },
  Write: {
    check: () => import("./commands/write/check.ts"),
    try: () => import("./commands/write/try.ts"),
    list: () => import("./commands/write/list.ts"),
  },
  Run: {
    run: () => import("./commands/run/run.ts"),
    bench: () => import("./commands/bench/bench.ts"),
    coordinate: () => import("./commands/cluster/coordinate.ts"),
    agent: () => import("./commands/cluster/agent.ts"),
    merge: () => import("./commands/report/merge.ts"),
  },
  "Answer a question": {
    sweep: () => import("./commands/trials/sweep.ts"),
    capacity: () => import("./commands/trials/capacity.ts"),
    compare: () => import("./commands/compare/compare.ts"),
    "ab-test": () => import("./commands/compare/ab-test.ts"),
  },
  Afterwards: { report: () => import("./commands/report/report.ts") },
  Around: {
    monitor: () => import("./commands/cluster/monitor.ts"),
    mock: () => import("./commands/start/mock.ts"),
    doctor: () => import("./commands/start/doctor.ts"),
  },
  Kubernetes: {
    "k8s run": () => import("./commands/k8s/k8s-run.ts"),
    "k8s list": () => import("./commands/k8s/k8s-list.ts"),
    "k8s attach": () => import("./commands/k8s/k8s-attach.ts"),
    "k8s collect": () => import("./commands/k8s/k8s-collect.ts"),
    "k8s stop": () => import("./commands/k8s/k8s-stop.ts"),
  },
};

const commands: Commands = Object.fromEntries(
  Object.values(commandGroups).flatMap((group) => Object.entries(group)),
);

interface CommandModule {
  createCommand(): Command;
}

/** Loads the command named by the first argument. Any other first argument may be an address. */
async function createProgram(first: string | undefined): Promise<Command> {
  const program = new Command("bearhug")
    .description("Find out what your site can take before the front page does.")
    .version(version, "-v, --version")
    .showSuggestionAfterError()
    .exitOverride();
  for (const name of await commandsFor(first)) {
    const command = await createCommand(name);
    if (command === undefined) continue;
    const { takeVariables } = await import("./commands/command-line/variables.ts");
    const { layOutHelp } = await import("./commands/command-line/help-layout.ts");
    program.addCommand(layOutHelp(takeVariables(command, process.env)).helpGroup(`${groupOf(name)}:`), {
      isDefault: name === "bench" && first !== undefined,
    });
  }
  const { layOutCommands } = await import("./commands/command-line/help-layout.ts");
  return layOutCommands(program, first !== undefined && isGroup(first) ? first : null);
}

function groupOf(name: string): string {
  return Object.entries(commandGroups).find(([, members]) => Object.hasOwn(members, name))?.[0] ?? "";
}

/**
 * Returns the names of the commands to load: all for help, none for the version, otherwise one command or
 * group.
 */
async function commandsFor(first: string | undefined): Promise<readonly string[]> {
  if (first === "-v" || first === "--version") return [];
  if (first === undefined || first.startsWith("-") || first === "help") return Object.keys(commands);
  const grouped = Object.keys(commands).filter((name) => name.startsWith(`${first} `));
  return grouped.length > 0 ? grouped : [await commandFor(first)];
}

/** True for the first word of two-word commands. */
function isGroup(word = ""): boolean {
  return Object.keys(commands).some((name) => name.startsWith(`${word} `));
}

/** Returns the arguments with the name of a two-word command joined into one: `k8s run`. */
function readWords(words: readonly string[]): readonly string[] {
  const [first = "", second, ...rest] = words;
  const from = first === "help" ? 1 : 0;
  const [group, name = ""] = from === 1 ? [second, rest[0]] : [first, second];
  if (!isGroup(group)) return words;
  const isName = name !== "" && !name.startsWith("-");
  return isName ? [...words.slice(0, from), `${group ?? ""} ${name}`, ...words.slice(from + 2)] : words;
}

async function createCommand(name: string): Promise<Command | undefined> {
  return (await commands[name]?.())?.createCommand().exitOverride();
}

/**
 * Returns the command for the first argument: `bench` for an address. @throws {InvalidInput} for any other
 * word that is not a command
 */
async function commandFor(first: string): Promise<string> {
  if (Object.hasOwn(commands, first)) return first;
  const { testFileProblem } = await import("./commands/command-line/test-file-problem.ts");
  const problem = testFileProblem(first);
  if (problem !== null) throw new InvalidInput([problem]);
  if (/[.:/]/.test(first) || first === "localhost") return "bench";
  throw new InvalidInput([`"${first}" is neither a command nor an address. ${suggestCommand(first)}`]);
}

/**
 * Rejects `help` for an unknown command, for which the parser would print the general help. @throws
 * {InvalidInput}
 */
function requireCommand(name: string): void {
  if (name.startsWith("-") || name === "help" || Object.hasOwn(commands, name)) return;
  throw new InvalidInput([`There is no command "${name}". ${suggestCommand(name)}`]);
}

/**
 * Accepts a lone flag that belongs to bearhug itself, or to `bearhug <url>` without an address. @throws
 * {InvalidInput} for any other flag
 */
async function requireKnownFlag(text: string): Promise<void> {
  const bench = await createCommand("bench");
  if (bench?.options.some(({ short, long }) => short === text || long === text) === true) return;
  const flags = ["--version", "--help"];
  const meant = text === "-V" ? "-v" : closestName(text, text.startsWith("--") ? flags : []);
  const hint = meant === undefined ? "See bearhug --help." : `Did you mean ${meant}?`;
  throw new InvalidInput([`${text}: unknown option. ${hint}`]);
}

function suggestCommand(name: string): string {
  return didYouMean(name, Object.keys(commands), "See bearhug --help.");
}

/** True if only the help or the version is requested. */
function requestsText(): boolean {
  return (
    ["help", "-v", "--version"].includes(firstWord) || options.some((text) => /^(-h|--help)$/.test(text))
  );
}

/** Validates the command line. @throws {InvalidInput} with all problems */
async function validate(): Promise<void> {
  const command = await createCommand(commandName);
  if (command === undefined) return;
  await warnOfVariables(command);
  const { validateCommandLine } = await import("./commands/command-line/validate-command-line.ts");
  const { findProblems } = await import("./commands/reading.ts");
  validateCommandLine(command, afterName, findProblems, process.env);
}

/** Warns about unknown BEARHUG_ variables: most are misspelt, so the load would not be the intended one. */
async function warnOfVariables(command: Command): Promise<void> {
  const { findUnknownVariables, hasOtherVariables } = await import("./commands/command-line/variables.ts");
  if (!hasOtherVariables(command, process.env)) return;
  const all = await Promise.all(Object.keys(commands).map(createCommand));
  const known = all.filter((one) => one !== undefined);
  const { printMessage } = await import("./commands/warn.ts");
  findUnknownVariables(known, process.env).forEach(printMessage);
}

/** Libraries read the current folder when they are loaded. @throws {InvalidInput} if it was deleted */
function requireCurrentFolder(): void {
  try {
    process.cwd();
  } catch (cause) {
    const problem = "The current folder does not exist any more. Change into another folder and try again.";
    throw new InvalidInput([problem], { cause });
  }
}

/** Runs the command line. @throws {InvalidInput} with all problems */
async function run(): Promise<void> {
  requireCurrentFolder();
  if (firstWord === "help") requireCommand(arguments_[1] ?? firstWord);
  const program = await createProgram(arguments_[0]);
  if (arguments_.length === 0 || (arguments_.length === 1 && isGroup(firstWord))) program.help();
  if (!requestsText()) {
    const { requireOpenFiles } = await import("./commands/require-open-files.ts");
    requireOpenFiles();
    if (arguments_.length === 1 && /^-./.test(firstWord)) await requireKnownFlag(firstWord);
    await validate();
  }
  try {
    await program.parseAsync(arguments_, { from: "user" });
  } catch (error) {
    const command = program.commands.find((one) => one.name() === commandName);
    if (!(error instanceof InvalidInput) || command === undefined) throw error;
    const { rephraseForVariables } = await import("./commands/command-line/variables.ts");
    const { rephraseForConfig } = await import("./commands/command-line/project-config.ts");
    const rephrase = (problem: string): string =>
      rephraseForVariables(rephraseForConfig(problem, command), command, process.env);
    throw new InvalidInput(error.problems.map(rephrase), { cause: error, details: error.details });
  }
}

/**
 * Reports an error and returns the exit code: one sentence for each of the user's problems, full details for
 * a bug in bearhug.
 */
async function reportError(error: unknown): Promise<number> {
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.passed : exitCodes.invalidInput;
  const { createMask } = await import("@bearhug/text/secret-mask");
  const { hide } = createMask([]);
  if (error instanceof InvalidInput) {
    if (await requestsJson()) await printProblems(error, hide);
    const { printMessage, warn } = await import("./commands/warn.ts");
    const problems = error.problems.map((problem) => hide(problem));
    problems.forEach(printMessage);
    for (const line of error.details) warn(hide(line));
    await annotateGate(problems, exitCodes.invalidInput);
    return exitCodes.invalidInput;
  }
  const details = hide(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const bug = `this is a bug in bearhug ${version}`;
  if (await requestsJson()) {
    const { printDocument } = await import("./commands/print-document.ts");
    const problems = [{ code: "BUG", message: `${bug}, please report it: ${details}` }];
    await printDocument({ schema: "bearhug/problems@1", exitCode: exitCodes.bug, problems });
  }
  process.stderr.write(`bearhug: ${bug}, please report it with these lines:\n${details}\n`);
  await annotateGate([`${bug}: see the log`], exitCodes.bug);
  return exitCodes.bug;
}

/** Prints the problems as a document, each with its place if known. */
async function printProblems(error: InvalidInput, hide: (text: string) => string): Promise<void> {
  const { printDocument } = await import("./commands/print-document.ts");
  const { placesOf } = await import("./commands/problem-places.ts");
  const problems = placesOf(error).map((problem) => ({ ...problem, message: hide(problem.message) }));
  await printDocument({ schema: "bearhug/problems@1", exitCode: exitCodes.invalidInput, problems });
}

/** True if stdout must contain only a JSON document. */
async function requestsJson(): Promise<boolean> {
  if (options.includes("--json")) return true;
  try {
    const command = await createCommand(commandName);
    if (command === undefined) return false;
    const { printsJson } = await import("./commands/command-line/validate-command-line.ts");
    return printsJson(command, afterName, process.env);
  } catch {
    // The error being reported may be that of loading the command.
    return false;
  }
}

/** Commands that pass or fail a CI job. If they cannot run, the problem is annotated in GitHub Actions. */
const gates: readonly string[] = ["run", "bench", "sweep", "capacity", "ab-test", "merge"];

async function annotateGate(problems: readonly string[], exitCode: number): Promise<void> {
  if (process.env["GITHUB_ACTIONS"] !== "true" || !gates.includes(commandName)) return;
  const { reportProblemsToGithub } = await import("./commands/report/report-to-github.ts");
  await reportProblemsToGithub(problems, exitCode);
}

const arguments_ = readWords(process.argv.slice(2));
const [firstWord = ""] = arguments_;
const isNamed = Object.hasOwn(commands, firstWord);
/** `bench` for an address, which needs no command. */
const commandName = isNamed ? firstWord : "bench";
const afterName = isNamed ? arguments_.slice(1) : arguments_;
const endOfOptions = arguments_.indexOf("--");
const options = endOfOptions === -1 ? arguments_ : arguments_.slice(0, endOfOptions);
// A reader of the output such as `head` may exit early. That affects neither the work nor the exit code.
for (const stream of [process.stdout, process.stderr]) bindTextOutput(stream);
let failure: number | null = null;
try {
  await run();
} catch (error) {
  failure = await reportError(error);
}
const { leave } = await import("./commands/leave.ts");
await leave(failure);

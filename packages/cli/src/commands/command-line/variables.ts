import { monitorTokenVariable } from "@bearhug/plan/monitors/monitor-kinds";
import { didYouMean } from "@bearhug/text/closest-name";
import type { Command, Option } from "commander";

import { JsonOutOption } from "../load-options.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Options that share the variable of another option, or keep the variable of an older name. */
const sharedNames: Readonly<Record<string, string>> = {
  connections: "vus",
  requests: "iterations",
  "env-from": "env-file",
};

/** Returns the environment variable of an option; null if the option or its command has none. */
export function variableOf(command: Command, option: Option): string | null {
  // A variable set for runs must not overwrite a report of these commands. import, record and init are run by
  // hand.
  if (["merge", "report", "compare", "import", "record", "init"].includes(command.name())) return null;
  // --json is an alias of --out json=-, and --out has a variable.
  if (option instanceof JsonOutOption) return null;
  const name = option.name();
  return `BEARHUG_${(sharedNames[name] ?? name).toUpperCase().replaceAll("-", "_")}`;
}

const variablesHelp = "\nEvery option has an environment variable: --some-option is BEARHUG_SOME_OPTION.";

/** Lets a command read options from variables, and mentions them in its help. */
export function takeVariables(command: Command, environment: Environment): Command {
  const hasVariables = command.options.some((option) => variableOf(command, option) !== null);
  return command
    .configureHelp({ optionDescription: (option) => describeOption(command, option) })
    .addHelpText("after", hasVariables ? variablesHelp : "")
    .hook("preAction", () => {
      applyVariables(command, environment);
    });
}

/** True for an option that may be given several times. */
export function isRepeatable({ defaultValue }: Option): boolean {
  return Array.isArray(defaultValue);
}

/** Returns the description with the default, and with the variable if its name differs from the option's. */
function describeOption(command: Command, option: Option): string {
  const { description, defaultValueDescription } = option;
  const defaultValue: unknown = option.defaultValue;
  const shownDefault = defaultValueDescription ?? (typeof defaultValue === "string" ? defaultValue : null);
  const isRenamed = command.options.includes(option) && Object.hasOwn(sharedNames, option.name());
  const notes = [
    ...(isRepeatable(option) ? ["repeatable"] : []),
    ...(shownDefault === null ? [] : [`default: ${shownDefault}`]),
    ...(isRenamed ? [`env: ${variableOf(command, option) ?? ""}`] : []),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join(", ")})`;
}

/**
 * Sets the options that have a variable and were not on the command line. Returns the problems with the
 * variables.
 */
export function applyVariables(command: Command, environment: Environment): string[] {
  const problems: string[] = [];
  for (const { option, variable, text } of givenVariables(command, environment)) {
    const value = readValue(option, text);
    if (value === null) problems.push(`${variable}=${text}: must be 1 or true, 0 or false.`);
    else command.setOptionValueWithSource(option.attributeName(), value, "env");
  }
  return problems;
}

/** Commands that apply load and do not support limits. */
const withoutLimits: readonly string[] = ["bench", "sweep", "capacity", "agent"];

/**
 * Returns a sentence for each limit that is set but that the command cannot enforce: a limit is never
 * silently ignored.
 */
export function unenforcedLimits(command: Command, environment: Environment): string[] {
  if (!withoutLimits.includes(command.name())) return [];
  return setVariables(environment)
    .filter((name) => name.startsWith("BEARHUG_LIMIT_"))
    .map(
      (name) =>
        `${name} is set, and bearhug ${command.name()} cannot be held to it: unset it, or use bearhug run.`,
    );
}

/** Rewords a problem with an option to name the variable if the value came from there. */
export function rephraseForVariables(problem: string, command: Command, environment: Environment): string {
  const [head = ""] = /^(--?[a-zA-Z][\w-]*(, )?)+(?=[ :])/.exec(problem) ?? [];
  if (head === "") return problem;
  const given = givenVariables(command, environment);
  const flags = head.split(", ");
  const names = flags.map((flag) => given.find(({ option }) => isNamed(option, flag))?.variable ?? flag);
  const rest = problem.slice(head.length);
  const isValue = flags.length === 1 && names[0] !== head && rest.startsWith(" ");
  return names.join(", ") + (isValue ? `=${rest.slice(1)}` : rest);
}

interface GivenVariable {
  readonly option: Option;
  readonly variable: string;
  readonly text: string;
}

/**
 * Returns the variables that are set while their options are not. Empty counts as unset, as CI systems pass
 * unset ones.
 */
function givenVariables(command: Command, environment: Environment): GivenVariable[] {
  return command.options.flatMap((option) => {
    const variable = variableOf(command, option);
    const text = variable === null ? undefined : environment[variable];
    const isGiven = command.getOptionValueSource(option.attributeName()) === "cli";
    return variable === null || text === undefined || text === "" || isGiven
      ? []
      : [{ option, variable, text }];
  });
}

function isNamed(option: Option, flag: string): boolean {
  return [option.long, option.short, `--${sharedNames[option.name()] ?? option.name()}`].includes(flag);
}

/** Converts a variable's text to an option's value; null if it is not valid for a switch. */
function readValue(option: Option, text: string): string | readonly string[] | boolean | null {
  if (isRepeatable(option)) return text.split(/\r?\n/).filter((line) => line !== "");
  if (!option.isBoolean()) return text;
  if (/^(1|true)$/.test(text)) return true;
  return /^(0|false)$/.test(text) ? false : null;
}

/** Returns a sentence for each BEARHUG_ variable that no command reads. */
export function findUnknownVariables(commands: readonly Command[], environment: Environment): string[] {
  const known = variablesOf(commands);
  return setVariables(environment)
    .filter((name) => !known.includes(name))
    .map(
      (name) => `${name} is set, but no option reads it. ${didYouMean(name, known, "See bearhug --help.")}`,
    );
}

/**
 * True if a `BEARHUG_` variable is set that this command does not read. If not, other commands need not be
 * loaded.
 */
export function hasOtherVariables(command: Command, environment: Environment): boolean {
  const known = variablesOf([command]);
  return setVariables(environment).some((name) => !known.includes(name));
}

/** Secrets that can be set by variable only: options are visible in process lists. */
const withoutOption: readonly string[] = [monitorTokenVariable];

function setVariables(environment: Environment): string[] {
  return Object.keys(environment).filter(
    (name) =>
      name.startsWith("BEARHUG_") &&
      !withoutOption.includes(name) &&
      environment[name] !== undefined &&
      environment[name] !== "",
  );
}

/** Returns the variables of all options of some commands. */
export function variablesOf(commands: readonly Command[]): string[] {
  const options = commands.flatMap((command) => command.options.map((option) => ({ command, option })));
  const names = options.flatMap(({ command, option }) => {
    const name = variableOf(command, option);
    return name === "BEARHUG_TOKEN_FILE" ? [name, "BEARHUG_TOKEN"] : [name];
  });
  return [...new Set(names.filter((name) => name !== null))];
}

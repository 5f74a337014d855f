import { monitorTokenVariable } from "@bearhug/plan/monitors/monitor-kinds";
import { closestName } from "@bearhug/sdk/internal";
import type { Command, Option } from "commander";

import { JsonOutOption } from "../load-options.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Options whose variable has another name: that of the same option of other commands, or an older one. */
const sharedNames: Readonly<Record<string, string>> = {
  connections: "vus",
  requests: "iterations",
  "env-from": "env-file",
};

/** The variable that stands for an option where the option is not given; null for those of a command without variables. */
export function variableOf(command: Command, option: Option): string | null {
  // What was set for runs must not overwrite a report of theirs; and files of a project are made once, by hand.
  if (["merge", "report", "compare", "import", "record", "init"].includes(command.name())) return null;
  // Another name for a value of --out, which has a variable.
  if (option instanceof JsonOutOption) return null;
  const name = option.name();
  return `BEARHUG_${(sharedNames[name] ?? name).toUpperCase().replaceAll("-", "_")}`;
}

const variablesHelp = "\nEvery option has an environment variable: --some-option is BEARHUG_SOME_OPTION.";

/** Lets a command take its options from variables too, and its help say so. */
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

/** With the default, and with the variable if it has another name than the option. */
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

/** Gives a command, whose command line was parsed, what its variables say of the other options. Returns what is wrong with them. */
export function applyVariables(command: Command, environment: Environment): string[] {
  const problems: string[] = [];
  for (const { option, variable, text } of givenVariables(command, environment)) {
    const value = readValue(option, text);
    if (value === null) problems.push(`${variable}=${text}: must be 1 or true, 0 or false.`);
    else command.setOptionValueWithSource(option.attributeName(), value, "env");
  }
  return problems;
}

/** Commands that apply load, and cannot be held to limits. */
const withoutLimits: readonly string[] = ["bench", "sweep", "capacity", "agent"];

/** A sentence for each limit that is set and that the command would not hold: nobody's limits are passed over in silence. */
export function unheldLimits(command: Command, environment: Environment): string[] {
  if (!withoutLimits.includes(command.name())) return [];
  return suspects(environment)
    .filter((name) => name.startsWith("BEARHUG_LIMIT_"))
    .map(
      (name) =>
        `${name} is set, and bearhug ${command.name()} cannot be held to it: unset it, or use bearhug run.`,
    );
}

/** A problem with an option, in terms of the variable where it came from there. */
export function inWordsOfVariables(problem: string, command: Command, environment: Environment): string {
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

/** Those that are set, and whose options are not. CI systems pass unset ones as empty. */
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

/** Null for what a flag cannot be. */
function readValue(option: Option, text: string): string | readonly string[] | boolean | null {
  if (isRepeatable(option)) return text.split(/\r?\n/).filter((line) => line !== "");
  if (!option.isBoolean()) return text;
  if (/^(1|true)$/.test(text)) return true;
  return /^(0|false)$/.test(text) ? false : null;
}

/** A sentence for each variable that looks as if it were ours and is no command's. */
export function findUnknownVariables(commands: readonly Command[], environment: Environment): string[] {
  const known = variablesOf(commands);
  return suspects(environment)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = closestName(name, known);
      const hint = meant === undefined ? "See bearhug --help." : `Did you mean ${meant}?`;
      return `${name} is set, but no option reads it. ${hint}`;
    });
}

/** True if a `BEARHUG_` variable is set that this command does not read. Most runs need not look further. */
export function hasOtherVariables(command: Command, environment: Environment): boolean {
  const known = variablesOf([command]);
  return suspects(environment).some((name) => !known.includes(name));
}

/** Secrets have variables alone: options stand in lists of processes. */
const withoutOption: readonly string[] = [monitorTokenVariable];

function suspects(environment: Environment): string[] {
  return Object.keys(environment).filter(
    (name) =>
      name.startsWith("BEARHUG_") &&
      !withoutOption.includes(name) &&
      environment[name] !== undefined &&
      environment[name] !== "",
  );
}

/** The variables of all options of some commands. */
export function variablesOf(commands: readonly Command[]): string[] {
  const options = commands.flatMap((command) => command.options.map((option) => ({ command, option })));
  const names = options.flatMap(({ command, option }) => {
    const name = variableOf(command, option);
    return name === "BEARHUG_TOKEN_FILE" ? [name, "BEARHUG_TOKEN"] : [name];
  });
  return [...new Set(names.filter((name) => name !== null))];
}

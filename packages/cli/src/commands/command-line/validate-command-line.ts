import { standardInput } from "@bearhug/plan/test-file/standard-input";
import { InvalidInput } from "@bearhug/sdk";
import { closestName, oneOf } from "@bearhug/text/closest-name";
import type { Command, Option } from "commander";

import { explainForeignFlag, isForeignWord, nameOf, type FlagExplanation } from "./explain-foreign-flag.ts";
import { explainOwnFlag } from "./explain-own-flag.ts";
import {
  applyVariables,
  rephraseForVariables,
  isRepeatable,
  unenforcedLimits,
  type Environment,
} from "./variables.ts";

/** Returns the problems with a command's options, which are already set in the command. */
type FindProblems = (operands: readonly string[], command: Command) => string[];

/**
 * Rejects an invalid command line, or invalid variables, with all problems at once; the parser itself would
 * stop at the first. Sets the valid options in `command`, which must not be used for anything else.
 * @throws {InvalidInput}
 */
export function validateCommandLine(
  command: Command,
  arguments_: readonly string[],
  findProblems: FindProblems,
  environment: Environment,
): void {
  const { problems, understood, operands, uncertain } = readLine(command, arguments_);
  const expected = command.registeredArguments;
  // After an unknown option, an operand may be that option's value, so excess operands are not reported.
  const takesMore = expected.some(({ variadic }) => variadic);
  const excess = takesMore || problems.length > 0 ? [] : operands.slice(expected.length);
  problems.push(...excess.map((text) => `"${text}": unexpected argument. ${seeHelp(command)}`));
  problems.push(...repeatedOptions(command, understood));
  const piped = pipedInputs(operands, understood);
  if (piped.length > 1)
    problems.push(
      `${piped.join(", ")}: standard input can be read only once. Save it to a file, and name that.`,
    );
  const missing = expected.slice(operands.length + uncertain).filter(({ required }) => required);
  problems.push(...missing.map((argument) => `<${argument.name()}> is missing. ${seeHelp(command)}`));
  command.parseOptions(understood.flatMap(({ texts }) => texts));
  problems.push(...applyVariables(command, environment), ...unenforcedLimits(command, environment));
  if (problems.length === 0) return;
  // If all operands may be values of unknown options, the operands are unknown and nothing more is checked.
  const found = uncertain > 0 && operands.length === 0 ? [] : findProblems(operands, command);
  throw new InvalidInput([
    ...problems,
    ...found.map((problem) => rephraseForVariables(problem, command, environment)),
  ]);
}

/** True if the command line (even an invalid one) or a variable requests a JSON document on stdout. */
export function printsJson(
  command: Command,
  arguments_: readonly string[],
  environment: Environment,
): boolean {
  const { understood } = readLine(command, arguments_);
  command.parseOptions(understood.flatMap(({ texts }) => texts));
  applyVariables(command, environment);
  const { json, out } = command.opts<{ json?: unknown; out?: unknown }>();
  return json === true || (Array.isArray(out) && out.includes("json=-"));
}

/** An option of the command, with the arguments that set it. */
interface Given {
  readonly option: Option;
  readonly name: string;
  /** The name and the value, in one argument or two. */
  readonly texts: readonly string[];
}

interface Line {
  readonly problems: string[];
  /** Options that the command has, with their values. */
  readonly understood: readonly Given[];
  readonly operands: readonly string[];
  /** The number of arguments that may be operands or values of unknown options. */
  readonly uncertain: number;
}

/**
 * Returns a sentence for each single-value option that was given several times: the parser would keep the
 * last.
 */
function repeatedOptions(command: Command, understood: readonly Given[]): string[] {
  return command.options.flatMap((option) => {
    const given = understood.filter((one) => one.option === option);
    if (given.length < 2 || !option.required || isRepeatable(option)) return [];
    return [`${given[0]?.name ?? option.flags}: was given ${given.length} times, but takes one value.`];
  });
}

/** Options that can read standard input, with the value that means it. */
const inputOptions: Readonly<Record<string, string>> = {
  "--body": "@-",
  "--body-file": "-",
  "--urls": "-",
  "--baseline": "-",
  "--new": "-",
  "--resume": "-",
};

/** Returns the arguments that mean standard input. */
function pipedInputs(operands: readonly string[], understood: readonly Given[]): string[] {
  const values = understood.map(({ option, name, texts }) => {
    const value = texts[1] ?? texts[0]?.slice(name.length).replace(/^=/, "") ?? "";
    return { name, value, isInput: value === inputOptions[option.long ?? ""] };
  });
  return [
    ...operands.filter((operand) => operand === standardInput),
    ...values.flatMap(({ name, value, isInput }) => (isInput ? [`${name} ${value}`] : [])),
  ];
}

function readLine(command: Command, arguments_: readonly string[]): Line {
  const problems: string[] = [];
  const understood: Given[] = [];
  const operands: string[] = [];
  let uncertain = 0;
  for (let index = 0; index < arguments_.length; index++) {
    const text = arguments_[index] ?? "";
    if (text === "--") {
      operands.push(...arguments_.slice(index + 1));
      break;
    }
    if (!/^-./.test(text)) {
      operands.push(text);
      continue;
    }
    const option = isForeignWord(text) ? undefined : findOption(command, text);
    const known = option === undefined ? explainElsewhere(command, text, arguments_[index + 1]) : null;
    if (known !== null) {
      problems.push(`${nameOf(text)}: unknown option. ${known.hint}`);
      if (known.takesNext) index++;
    } else if (option === undefined) {
      const meant = closestOption(command, text);
      problems.push(explainUnknown(command, text, meant));
      const next = arguments_[index + 1];
      const mayTakeNext = !text.includes("=") && next !== undefined && !/^-./.test(next);
      // The value of a misspelt option is not an operand.
      if (mayTakeNext && meant?.required === true) index++;
      else if (mayTakeNext && meant === undefined) {
        index++;
        uncertain++;
      }
    } else if (!option.required || !namesOf(option).includes(text)) {
      // A flag, or one with its value attached: -c5, --vus=5.
      understood.push({ option, name: optionName(text), texts: [text] });
    } else if (index + 1 < arguments_.length) {
      index++;
      understood.push({ option, name: text, texts: [text, arguments_[index] ?? ""] });
    } else {
      problems.push(`${text}: needs a value. ${seeHelp(command)}`);
    }
  }
  return { problems, understood, operands, uncertain };
}

/** Explains a flag of another tool or another bearhug command; null for any other. */
function explainElsewhere(command: Command, text: string, next: string | undefined): FlagExplanation | null {
  const own = isForeignWord(text) ? null : explainOwnFlag(command.name(), text);
  return own ?? explainForeignFlag(command, text, next);
}

function findOption(command: Command, text: string): Option | undefined {
  const name = optionName(text);
  return command.options.find(
    (option) => namesOf(option).includes(name) && (option.required || name === text),
  );
}

/** Returns an argument without the value attached to it. */
function optionName(text: string): string {
  return /^--[^=]+/.exec(text)?.[0] ?? text.slice(0, 2);
}

function namesOf({ long, short }: Option): string[] {
  return [long, short].filter((name) => name !== undefined);
}

function closestOption(command: Command, text: string): Option | undefined {
  // All single letters are equally similar, so there is no closest one.
  if (/^-\w/.test(text)) return undefined;
  const [completed] = optionsStartingWith(command, text);
  const name = completed ?? closestName(nameOf(text), command.options.flatMap(namesOf));
  return name === undefined ? undefined : findOption(command, name);
}

/** Returns the options that start with the text; none if it is too short to be significant. */
function optionsStartingWith(command: Command, text: string): string[] {
  if (!/^--\w{3}/.test(text)) return [];
  return command.options
    .filter((option) => namesOf(option).some((name) => name.startsWith(nameOf(text))))
    .flatMap(({ long }) => long ?? []);
}

function explainUnknown(command: Command, text: string, meant: Option | undefined): string {
  if (meant !== undefined && namesOf(meant).includes(nameOf(text))) return `${nameOf(text)}: takes no value.`;
  const completions = optionsStartingWith(command, text);
  const several = completions.length > 1 ? oneOf(completions) : null;
  const name = several ?? meant?.long;
  const hint = name === undefined ? seeHelp(command) : `Did you mean ${name}?`;
  return `${nameOf(text)}: unknown option. ${hint}`;
}

function seeHelp(command: Command): string {
  return `See bearhug ${command.name()} --help.`;
}

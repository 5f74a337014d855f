import { standardInput } from "@bearhug/plan/test-file/standard-input";
import { InvalidInput } from "@bearhug/sdk";
import { closestName, oneOf } from "@bearhug/sdk/internal";
import type { Command, Option } from "commander";

import { explainForeignFlag, isForeignWord, type ForeignAnswer } from "./explain-foreign-flag.ts";
import { explainOwnFlag } from "./explain-own-flag.ts";
import {
  applyVariables,
  inWordsOfVariables,
  isRepeatable,
  unheldLimits,
  type Environment,
} from "./variables.ts";

/** Says what is wrong with the options of a command; these have been given to it. */
export type FindProblems = (operands: readonly string[], command: Command) => string[];

/**
 * Refuses a command line, and variables, that the command cannot understand, with everything that is wrong with them.
 * The parser itself would stop at the first. What is understood is set in the command, which is used for nothing else.
 * @throws {InvalidInput}
 */
export function validateCommandLine(
  command: Command,
  arguments_: readonly string[],
  findProblems: FindProblems,
  environment: Environment,
): void {
  const { problems, understood, operands, uncertain } = readLine(command, arguments_);
  const wanted = command.registeredArguments;
  // After an option that is not known, nobody can tell.
  const takesMore = wanted.some(({ variadic }) => variadic);
  const excess = takesMore || problems.length > 0 ? [] : operands.slice(wanted.length);
  problems.push(...excess.map((text) => `"${text}": unexpected argument. ${seeHelp(command)}`));
  problems.push(...repeatedOptions(command, understood));
  const piped = pipedInputs(operands, understood);
  if (piped.length > 1)
    problems.push(
      `${piped.join(", ")}: standard input can be read only once. Save it to a file, and name that.`,
    );
  const missing = wanted.slice(operands.length + uncertain).filter(({ required }) => required);
  problems.push(...missing.map((argument) => `<${argument.name()}> is missing. ${seeHelp(command)}`));
  command.parseOptions(understood.flatMap(({ texts }) => texts));
  problems.push(...applyVariables(command, environment), ...unheldLimits(command, environment));
  if (problems.length === 0) return;
  // Where all operands may be values, nothing is known of the operands.
  const found = uncertain > 0 && operands.length === 0 ? [] : findProblems(operands, command);
  throw new InvalidInput([
    ...problems,
    ...found.map((problem) => inWordsOfVariables(problem, command, environment)),
  ]);
}

/** True if a command line, which may be wrong, or a variable asks for a JSON document on stdout. */
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

/** An option of the command, as it was written. */
interface Given {
  readonly option: Option;
  readonly name: string;
  /** The name and the value, as one argument or as two. */
  readonly texts: readonly string[];
}

interface Line {
  readonly problems: string[];
  /** Options that the command has, with their values. */
  readonly understood: readonly Given[];
  readonly operands: readonly string[];
  /** The arguments that are operands, or values of options that are not known. */
  readonly uncertain: number;
}

/** A sentence for each option that takes one value and was given several: the parser would keep the last. */
function repeatedOptions(command: Command, understood: readonly Given[]): string[] {
  return command.options.flatMap((option) => {
    const given = understood.filter((one) => one.option === option);
    if (given.length < 2 || !option.required || isRepeatable(option)) return [];
    return [`${given[0]?.name ?? option.flags}: was given ${given.length} times, but takes one value.`];
  });
}

/** Options whose value may be `-`, for standard input; the text of a body only behind an `@`. */
const inputOptions: Readonly<Record<string, string>> = {
  "--body": "@-",
  "--body-file": "-",
  "--urls": "-",
  "--baseline": "-",
  "--new": "-",
  "--resume": "-",
};

/** The places of a command line that mean standard input. */
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
      // Its value is no operand.
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

/** A flag of another tool or another bearhug command. */
function explainElsewhere(command: Command, text: string, next: string | undefined): ForeignAnswer | null {
  const own = isForeignWord(text) ? null : explainOwnFlag(command.name(), text);
  return own ?? explainForeignFlag(command, text, next);
}

function findOption(command: Command, text: string): Option | undefined {
  const name = optionName(text);
  return command.options.find(
    (option) => namesOf(option).includes(name) && (option.required || name === text),
  );
}

/** Without the value that is attached to it. */
function optionName(text: string): string {
  return /^--[^=]+/.exec(text)?.[0] ?? text.slice(0, 2);
}

function namesOf({ long, short }: Option): string[] {
  return [long, short].filter((name) => name !== undefined);
}

function closestOption(command: Command, text: string): Option | undefined {
  // Every single letter is similar to every other.
  if (/^-\w/.test(text)) return undefined;
  const [begun] = begunWith(command, text);
  const name = begun ?? closestName(nameOf(text), command.options.flatMap(namesOf));
  return name === undefined ? undefined : findOption(command, name);
}

/** The options that a text is the beginning of; none for a text that is too short to tell. */
function begunWith(command: Command, text: string): string[] {
  if (!/^--\w{3}/.test(text)) return [];
  return command.options
    .filter((option) => namesOf(option).some((name) => name.startsWith(nameOf(text))))
    .flatMap(({ long }) => long ?? []);
}

function explainUnknown(command: Command, text: string, meant: Option | undefined): string {
  if (meant !== undefined && namesOf(meant).includes(nameOf(text))) return `${nameOf(text)}: takes no value.`;
  const begun = begunWith(command, text);
  const several = begun.length > 1 ? oneOf(begun) : null;
  const name = several ?? meant?.long;
  const hint = name === undefined ? seeHelp(command) : `Did you mean ${name}?`;
  return `${nameOf(text)}: unknown option. ${hint}`;
}

function nameOf(text: string): string {
  return text.replace(/=.*$/s, "");
}

function seeHelp(command: Command): string {
  return `See bearhug ${command.name()} --help.`;
}

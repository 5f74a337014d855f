import type { Command } from "commander";

import type { ForeignFlag } from "./foreign-flag.ts";
import { foreignFlags } from "./foreign-flags.ts";

/** An explanation of another load tool's flag. */
export interface FlagExplanation {
  /** A sentence with the equivalent in bearhug. */
  readonly hint: string;
  /** True if the next argument is the flag's value. */
  readonly takesNext: boolean;
}

/**
 * Explains a flag that a well-known load tool has and the command lacks; null for any other.
 * @param text the argument: `-z`, `-z10s`, `-duration=10s`
 * @param next the argument after it
 */
export function explainForeignFlag(
  command: Command,
  text: string,
  next: string | undefined,
): FlagExplanation | null {
  for (const { flag, attached } of possibleReadings(text)) {
    for (const foreign of foreignFlags) {
      if (foreign.flag !== flag) continue;
      const explanation = explain(command, foreign, attached, next);
      if (explanation !== null) return explanation;
    }
  }
  return null;
}

/**
 * True for a word after a single dash, as in vegeta and hey, which would otherwise be read as a letter and
 * its value.
 */
export function isForeignWord(text: string): boolean {
  return /^-\w{2}/.test(text) && foreignFlags.some(({ flag }) => flag === nameOf(text));
}

interface Reading {
  readonly flag: string;
  /** The value in the same argument; undefined if there is none. */
  readonly attached: string | undefined;
}

function possibleReadings(text: string): Reading[] {
  const [, attached] = /=(.*)$/s.exec(text) ?? [];
  const whole = { flag: nameOf(text), attached };
  const isLetter = /^-\w./.test(text) && !isForeignWord(text);
  return isLetter ? [whole, { flag: text.slice(0, 2), attached: text.slice(2) }] : [whole];
}

function explain(
  command: Command,
  { flag, tools, when, is, says = "", hasValue = false }: ForeignFlag,
  attached: string | undefined,
  next: string | undefined,
): FlagExplanation | null {
  const isShown = is?.includes("{}") === true;
  const takesValue = isShown || hasValue || when !== undefined;
  const value = attached ?? (takesValue ? next : undefined);
  if (when !== undefined && (value === undefined || !when.test(value))) return null;
  const shown = value === undefined ? "…" : quoted(value);
  const meaning = is === undefined ? says : findEquivalent(command, is, shown, says);
  if (meaning === null || !appliesLoad(command)) return null;
  const written = isShown ? `${flag} ${shown}` : flag;
  return {
    hint: `${written} of ${tools} ${meaning}.`,
    takesNext: takesValue && attached === undefined,
  };
}

/**
 * Returns the first equivalent whose flag the command has, with that option's short name if any; null if it has
 * none of them.
 */
function findEquivalent(command: Command, lines: string, value: string, says: string): string | null {
  for (const line of lines.split(" or ")) {
    const [flag = ""] = /^--[\w-]+/.exec(line) ?? [];
    const option = command.options.find(({ long }) => long === flag);
    if (option === undefined) continue;
    const own = line.replace(flag, option.short ?? flag).replace("{}", () => value);
    return `is ${own} here${says === "" || /^[,;]/.test(says) ? says : `, ${says}`}`;
  }
  return null;
}

function quoted(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : JSON.stringify(value);
}

function appliesLoad(command: Command): boolean {
  return command.options.some(({ long }) => long === "--threshold");
}

/** Returns the name in an argument such as `--duration=10s`. */
export function nameOf(text: string): string {
  return text.replace(/=.*$/s, "");
}

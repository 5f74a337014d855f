import type { Command } from "commander";

import type { ForeignFlag } from "./foreign-flag.ts";
import { foreignFlags } from "./foreign-flags.ts";

/** A flag of another load tool, in words of a command's own. */
export interface ForeignAnswer {
  /** The sentence that tells what to write instead. */
  readonly hint: string;
  /** True if the next argument is the flag's value. */
  readonly takesNext: boolean;
}

/**
 * Explains a flag that a well-known load tool has and the command has not; null for any other.
 * @param text the argument: `-z`, `-z10s`, `-duration=10s`
 * @param next the argument after it
 */
export function explainForeignFlag(
  command: Command,
  text: string,
  next: string | undefined,
): ForeignAnswer | null {
  for (const { flag, attached } of readings(text)) {
    for (const foreign of foreignFlags) {
      if (foreign.flag !== flag) continue;
      const answer = answerFor(command, foreign, attached, next);
      if (answer !== null) return answer;
    }
  }
  return null;
}

/** True for a word after one dash, as vegeta and hey have them, which would be read as a letter and its value. */
export function isForeignWord(text: string): boolean {
  return /^-\w{2}/.test(text) && foreignFlags.some(({ flag }) => flag === nameOf(text));
}

interface Reading {
  readonly flag: string;
  /** The value in the same argument; undefined where there is none. */
  readonly attached: string | undefined;
}

function readings(text: string): Reading[] {
  const [, attached] = /=(.*)$/s.exec(text) ?? [];
  const whole = { flag: nameOf(text), attached };
  const isLetter = /^-\w./.test(text) && !isForeignWord(text);
  return isLetter ? [whole, { flag: text.slice(0, 2), attached: text.slice(2) }] : [whole];
}

function answerFor(
  command: Command,
  { flag, tools, when, is, says = "", hasValue = false }: ForeignFlag,
  attached: string | undefined,
  next: string | undefined,
): ForeignAnswer | null {
  const isShown = is?.some((line) => line.includes("{}")) === true;
  const takesValue = isShown || hasValue || when !== undefined;
  const value = attached ?? (takesValue ? next : undefined);
  if (when !== undefined && (value === undefined || !when.test(value))) return null;
  const shown = value === undefined ? "…" : quoted(value);
  const meaning = is === undefined ? says : inOwnWords(command, is, shown, says);
  if (meaning === null || !appliesLoad(command)) return null;
  const written = isShown ? `${flag} ${shown}` : flag;
  const owners = new Intl.ListFormat("en").format(tools);
  return {
    hint: `${written} of ${owners} ${meaning}.`,
    takesNext: takesValue && attached === undefined,
  };
}

/** The first line whose flag the command has, with the name that its help gives first; null if it has none of them. */
function inOwnWords(command: Command, lines: readonly string[], value: string, says: string): string | null {
  for (const line of lines) {
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

function nameOf(text: string): string {
  return text.replace(/=.*$/s, "");
}

import { Option, type Command } from "commander";

import type { Topic } from "./command-line/help-layout.ts";

/** Returns an option without a value, which is off unless it is given. */
export function switchOption(flags: string, help: string): Option {
  return new Option(flags, help).default(false);
}

/** Returns an option that may be given several times. `usually` says what none means. */
export function repeatableOption(flags: string, help: string, usually?: string): Option {
  return new Option(flags, help).argParser(collect).default([], usually);
}

/** Parses an option that may be given several times. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Adds options that the help lists below one topic. */
export function addOptions(command: Command, topic: Topic, options: readonly Option[]): Command {
  for (const option of options) command.addOption(option.helpGroup(`${topic}:`));
  return command;
}

import { closestName } from "@bearhug/sdk/internal";
import type { Command } from "commander";

import { variableOf, type Environment } from "./variables.ts";

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

/** Whether there is a variable that looks as if it were ours and is not the command's: most runs need not look further. */
export function hasOtherVariables(command: Command, environment: Environment): boolean {
  const known = variablesOf([command]);
  return suspects(environment).some((name) => !known.includes(name));
}

function suspects(environment: Environment): string[] {
  return Object.keys(environment).filter(
    (name) => name.startsWith("BEARHUG_") && environment[name] !== undefined && environment[name] !== "",
  );
}

/** The variables of all options of some commands. */
export function variablesOf(commands: readonly Command[]): string[] {
  const names = commands.flatMap((command) => command.options.map((option) => variableOf(command, option)));
  return [...new Set(names.filter((name) => name !== null))];
}

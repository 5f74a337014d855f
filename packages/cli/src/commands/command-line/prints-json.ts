import type { Command } from "commander";

import { applyUnderstood } from "./validate-command-line.ts";
import type { Environment } from "./variables.ts";

/** True if a command line, which may be wrong, or a variable asks for a JSON document on stdout. */
export function printsJson(
  command: Command,
  arguments_: readonly string[],
  environment: Environment,
): boolean {
  applyUnderstood(command, arguments_, environment);
  const { json, out } = command.opts<{ json?: unknown; out?: unknown }>();
  return json === true || (Array.isArray(out) && out.includes("json=-"));
}

import { Option, type Command } from "commander";

import { loadConfig, type ProjectConfig } from "../../test-set/load-config.ts";

/** Returns the option of every command that reads a project's configuration. */
export function configOption(): Option {
  return new Option("--config <file>", "read defaults from this file instead of bearhug.config.ts").helpGroup(
    "Target and variables:",
  );
}

/**
 * Applies the project's configuration to options that neither the command line nor a variable sets. Returns
 * the configuration.
 */
export async function applyConfig(command: Command): Promise<ProjectConfig> {
  const { config: given } = command.opts<{ config?: string }>();
  const { file, config } = await loadConfig(given);
  command.setOptionValue("config", file);
  for (const option of command.options) {
    const name = option.attributeName();
    const source = command.getOptionValueSource(name);
    if (source !== undefined && source !== "default") continue;
    const value = valueOf(config, name);
    if (value !== undefined) command.setOptionValueWithSource(name, value, "config");
  }
  return config;
}

/** Rewords a problem with an option to name the configuration file if the value came from there. */
export function rephraseForConfig(problem: string, command: Command): string {
  const [, flag = "", rest = ""] = /^(--[a-z-]+)( [^]*)$/.exec(problem) ?? [];
  const name = command.options.find(({ long }) => long === flag)?.attributeName();
  const { config: file } = command.opts<{ config?: string | null }>();
  if (name === undefined || command.getOptionValueSource(name) !== "config") return problem;
  return `${file ?? "bearhug.config.ts"}: ${name}${rest}`;
}

/** Returns a configured value in the form that the command line would give. */
function valueOf(config: ProjectConfig, name: string): string | boolean | readonly string[] | undefined {
  const { tests: _, ...options } = config;
  const value = new Map(Object.entries(options)).get(name);
  return typeof value === "number" ? String(value) : value;
}

import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";

/** Reads a variable that the action, or GitHub's runner, sets for each step. */
export function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: this script is a step of bearhug's action.`);
  return value;
}

/** Sets outputs of the step. Each value has an unpredictable delimiter, which it cannot contain. */
export function setOutputs(outputs: Readonly<Record<string, string>>): void {
  const lines = Object.entries(outputs).map(([name, value]) => {
    const delimiter = `bearhug_${randomUUID()}`;
    return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
  });
  appendFileSync(variable("GITHUB_OUTPUT"), lines.join(""));
}

/** Shows a message above the job's log. The text is escaped, so it cannot start another command. */
export function annotate(level: "error" | "warning" | "notice", message: string): void {
  const escaped = message.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  console.log(`::${level} title=bearhug::${escaped}`);
}

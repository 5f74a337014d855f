import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";

/** A variable that the action or GitHub's runner sets for each of its steps. */
export function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: this script is a step of bearhug's action.`);
  return value;
}

/** Sets outputs of the step. A value ends at a delimiter that nobody can know beforehand. */
export function setOutputs(outputs: Readonly<Record<string, string>>): void {
  const lines = Object.entries(outputs).map(([name, value]) => {
    const delimiter = `bearhug_${randomUUID()}`;
    return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
  });
  appendFileSync(variable("GITHUB_OUTPUT"), lines.join(""));
}

/** Shows a message above the job's log. Nothing in it can end it or begin another command. */
export function annotate(level: "error" | "warning" | "notice", message: string): void {
  const escaped = message.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  console.log(`::${level} title=bearhug::${escaped}`);
}

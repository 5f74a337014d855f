import { randomUUID } from "node:crypto";

/** The outputs of a run that later steps of a job can read. */
export interface StepOutputs {
  readonly verdict: string;
  readonly "exit-code": string;
  /** The path of the JSON result; empty where none was written. */
  readonly result: string;
}

/** Lines for `GITHUB_OUTPUT`. A value ends at a delimiter that nobody can know beforehand. */
export function renderStepOutputs(outputs: StepOutputs): string {
  return Object.entries(outputs)
    .map(([name, value]) => {
      const delimiter = `bearhug_${randomUUID()}`;
      return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
    })
    .join("");
}

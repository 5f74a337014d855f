import type { Variable } from "../capture-model.ts";

/** What would end a comment's line, or cannot be seen in it. */
const lineEnds = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** A `.env` without values: what each variable is for, and its name. */
export function writeEnvExample(variables: readonly Variable[]): string {
  return variables
    .map(({ name, description }) => `# ${description.replace(lineEnds, " ")}\n${name}=\n`)
    .join("\n");
}

import type { Variable } from "../capture-model.ts";

/** What would end a comment's line, or cannot be seen in it. */
const lineEnds = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** A `.env` without values: what each variable is for, if it may stay empty, and its name. */
export function writeEnvExample(variables: readonly Variable[]): string {
  return variables
    .map(({ name, description, isOptional }) => {
      const what = `${description.replace(lineEnds, " ")}${isOptional ? " Optional." : ""}`;
      return `# ${what}\n${name}=\n`;
    })
    .join("\n");
}

import { describeSize, groupOmissions, type TestSource } from "@bearhug/har-import";

import type { ImportDocument } from "../../documents/documents.ts";

/** Describes an import for `import --json`. `output` is the path of the test; null if it was not written. */
export function describeImport(
  { model, source }: TestSource,
  output: string | null,
  written: readonly string[],
): Omit<ImportDocument, "tool"> {
  const { origin, variables, steps, omissions, findings, notes } = model;
  return {
    schema: "bearhug/import@1",
    summary: describeSize(model),
    origin,
    test: output,
    source: output === null ? source : null,
    written,
    variables: variables.map(({ name, description, isOptional }) => ({ name, description, isOptional })),
    steps: steps.map(({ kind, name, waves }) => ({
      kind,
      name,
      requests: waves.reduce((sum, { requests }) => sum + requests.length, 0),
    })),
    omissions: groupOmissions(omissions).map(({ host, reason, count }) => ({ host, reason, count })),
    unreadable: findings.map(({ path, problem }) => ({ path, message: problem })),
    notes,
  };
}

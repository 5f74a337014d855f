import type { Proof } from "../capture-model.ts";

/** Words that say how it went; all others say what state a thing is in, which may differ from run to run. */
const outcome = /^(?:ok|success|error|failure|redirect)$/i;

/** Those fields of an answer's JSON that tell what was done from what was refused. */
export function findProofs(document: unknown): Proof[] {
  const answers = Array.isArray(document) ? document : [document];
  if (answers.length === 0 || !answers.every(isObject)) return [];
  const fields = Array.isArray(document) ? [] : Object.entries(answers[0] ?? {}).flatMap(proofOf);
  const hasErrors = answers.some(({ error, errors }) => !isEmpty(error) || !isEmpty(errors));
  return hasErrors ? fields : [...fields, { kind: "no errors" }];
}

function proofOf([name, value]: readonly [string, unknown]): Proof[] {
  if (name === "ok" || name === "success")
    return typeof value === "boolean" ? [{ kind: "field", name, value }] : [];
  const isOutcome =
    (name === "type" || name === "status") && typeof value === "string" && outcome.test(value);
  return isOutcome ? [{ kind: "field", name, value }] : [];
}

function isEmpty(value: unknown): boolean {
  return isObject(value) ? Object.keys(value).length === 0 : !value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

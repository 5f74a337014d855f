import { type ExtractionSource, extractFrom, reportsErrors } from "@bearhug/sdk/internal";
import { isPasswordName } from "@bearhug/text/secrets/secret-names";

import type { CapturedRequest, Proof } from "../capture-model.ts";
import { atomsOfBody } from "../map-atoms.ts";

/** Words for an outcome. Any other word may be the state of an object, which may differ from run to run. */
const outcome = /^(?:ok|success|error|failure|redirect)$/i;

/** Returns the fields of a JSON response that distinguish success from rejection. */
export function findProofs(document: unknown): Proof[] {
  const items = Array.isArray(document) ? document : [document];
  if (items.length === 0 || !items.every(isObject)) return [];
  const fields = Array.isArray(document) ? [] : Object.entries(items[0] ?? {}).flatMap(proofOf);
  return items.some(reportsErrors) ? fields : [...fields, { kind: "no errors" }];
}

/**
 * Returns the password's field of the form that a request sent, if the response is a page without it. Other
 * fields may also be in the forms of other pages. After redirects, the path of the page is checked instead.
 */
export function findFormGone(recorded: ExtractionSource, { body, redirectedTo }: CapturedRequest): Proof[] {
  const isForm = body?.kind === "form" || body?.kind === "multipart";
  if (!isForm || redirectedTo.length > 0 || !recorded.text().includes("<")) return [];
  const name = atomsOfBody(body).find((atom) => isPasswordName(atom.name))?.name;
  const isGone = name !== undefined && extractFrom(recorded, { field: name }) === null;
  return isGone ? [{ kind: "no field", name }] : [];
}

/** The members of a GraphQL response. */
const graphqlMembers: ReadonlySet<string> = new Set(["data", "errors", "extensions"]);

/**
 * Returns the fields of a JSON response that state success whatever the data is. Other fields of data, such as
 * the error of a job, may differ from run to run.
 */
export function findEnvelope(document: unknown): Proof[] {
  if (!isObject(document) || Array.isArray(document)) return [];
  const isGraphql = "data" in document && Object.keys(document).every((name) => graphqlMembers.has(name));
  const fields = Object.entries(document).filter(([name, value]) => statesSuccess(name, value));
  return [
    ...fields.flatMap(proofOf),
    ...(isGraphql && !reportsErrors(document) ? [{ kind: "no errors" } as const] : []),
  ];
}

function statesSuccess(name: string, value: unknown): boolean {
  if (flagName.test(name)) return value === true || value === 1;
  return codeName.test(name) || (name === "status" && value === httpOk);
}

/** Flags of success. Servers in PHP write them as numbers, too. */
const flagName = /^(?:ok|success|succeeded|is_?success(?:ful)?)$/i;
/** Codes in which 0 or 200 is success: `code`, `errno`, `error_code`, `resultCode`, `ret`. */
const codeName = /^(?:code|ret|(?:ret|result|status|err|error)_?(?:code|no))$/i;
const codeOfSuccess = /^(?:0+|200)$/;
const httpOk = 200;

function proofOf([name, value]: readonly [string, unknown]): Proof[] {
  const isText = typeof value === "string";
  if (typeof value !== "boolean" && typeof value !== "number" && !isText) return [];
  const isOutcome =
    (flagName.test(name) && (typeof value === "boolean" || value === 0 || value === 1)) ||
    (codeName.test(name) && typeof value !== "boolean" && codeOfSuccess.test(String(value))) ||
    ((name === "type" || name === "status") && isText && outcome.test(value)) ||
    (name === "status" && value === httpOk);
  return isOutcome ? [{ kind: "field", name, value }] : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

import {
  type ExtractionSource,
  extractFrom,
  grpcStatusOf,
  plainPath,
  reportsErrors,
} from "@bearhug/sdk/internal";
import { isPasswordName, isSecretName } from "@bearhug/text/secrets/secret-names";

import type { CapturedRequest, Proof } from "../capture-model.ts";
import { atomsOfBody } from "../map-atoms.ts";
import { patternOf } from "../path-pattern.ts";
import { type Atom, knownText } from "../value.ts";
import { isIdName, isStableName } from "./names.ts";

/** Returns the fields of a JSON response that distinguish success from rejection. */
export function findProofs(document: unknown): Proof[] {
  const items = Array.isArray(document) ? document : [document];
  if (items.length === 0 || !items.every(isObject)) return [];
  const fields = Array.isArray(document) ? [] : statementsIn(items[0] ?? {}, "states");
  return items.some(reportsErrors) ? fields : [...fields, { kind: "no errors" }];
}

/**
 * Returns the password's field of the form that a request sent, if the response is a page without it. After
 * redirects, the path of the page is enough, unless they led back to the page of the form.
 */
export function findFormAccepted(recorded: ExtractionSource, request: CapturedRequest): Proof[] {
  const { redirectedTo, landsOn, referer } = request;
  const isPathEnough =
    redirectedTo.length > 0 && landsOn !== null && landsOn !== plainPath(patternOf(referer?.path ?? []));
  return isPathEnough ? [] : findFormGone(recorded, passwordField(request));
}

/** The most fields of a form that are looked for in a page. */
const maxFields = 5;

/**
 * Returns the names of fields that a visitor filled in and that the page in response does not have: a rejected
 * form has them again. Numbers and ids are left out, because each row of a table may have a form of its own.
 */
export function findFieldsGone(recorded: ExtractionSource, request: CapturedRequest): string[] {
  const isPage = request.proofs.some((proof) => proof.kind === "type" && proof.type === "HTML");
  if (!isPage || request.redirectedTo.length > 0) return [];
  const names = new Set(
    fieldsOf(request)
      .filter(isFilledIn)
      .map(({ name }) => name),
  );
  return [...names].slice(0, maxFields).filter((name) => extractFrom(recorded, { field: name }) === null);
}

function isFilledIn({ name, value }: Atom): boolean {
  const isNamed = isStableName(name) && !isIdName(name) && !isSecretName(name);
  return isNamed && /\p{L}/u.test(knownText(value) ?? "");
}

/** Returns the fields of the form that a request sends; empty for any other body. */
export function fieldsOf({ body }: CapturedRequest): readonly Atom[] {
  return body?.kind === "form" || body?.kind === "multipart" ? atomsOfBody(body) : [];
}

/** Returns the name of the password's field in the form that a request sends; undefined if there is none. */
export function passwordField(request: CapturedRequest): string | undefined {
  return fieldsOf(request).find(({ name }) => isPasswordName(name))?.name;
}

/**
 * Returns the password's field of a login form, if the response is a page without it: a rejected form is shown
 * again, and a lost session may show it in place of any page. Other fields may also be in the forms of other
 * pages.
 */
export function findFormGone(recorded: ExtractionSource, name: string | undefined): Proof[] {
  if (name === undefined || !recorded.text().includes("<")) return [];
  return extractFrom(recorded, { field: name }) === null ? [{ kind: "no field", name }] : [];
}

/**
 * Returns the fields of a JSON response that state success whatever the data is. Other fields of data, such as
 * the error of a job, may differ from run to run.
 */
export function findEnvelope(document: unknown): Proof[] {
  if (!isObject(document) || Array.isArray(document)) return [];
  // Beside `data`, errors are those of the request. GraphQL responses need not have the member.
  const isEnvelope =
    "data" in document &&
    ("error" in document || "errors" in document || Object.keys(document).every(isOfGraphql));
  return [
    ...statementsIn(document, "succeeds"),
    ...(isEnvelope && !reportsErrors(document) ? [{ kind: "no errors" } as const] : []),
  ];
}

function isOfGraphql(name: string): boolean {
  return name === "data" || name === "extensions";
}

/** Returns the status of a gRPC-Web response, if it is one and has a status. */
export function findGrpcStatus(recorded: ExtractionSource): Proof[] {
  const code = grpcStatusOf(recorded);
  return code === null ? [] : [{ kind: "grpc status", code }];
}

type Fields = Readonly<Record<string, unknown>>;

/** A field of JSON that states the outcome of a request. */
interface Statement {
  readonly name: RegExp;
  /** Returns true for a value that states an outcome. */
  readonly states: (value: unknown, document: Fields) => boolean;
  /** Returns true for a value that states success even of data that was only loaded. @default as `states` */
  readonly succeeds?: (value: unknown, document: Fields) => boolean;
}

const statements: readonly Statement[] = [
  // Flags of success. Servers in PHP write them as numbers and as texts, too.
  {
    name: /^(?:ok|success|succeeded|is_?success(?:ful)?)$/i,
    states: (value) => typeof value === "boolean" || value === 0 || isYes(value),
    succeeds: (value) => value === true || isYes(value),
  },
  {
    name: /^(?:is|has)_?(?:errors?|failed|failure)$/i,
    states: (value) => value === false,
  },
  // A visitor without a session may get status 200 as well.
  {
    name: /^(?:is_?)?(?:authenticated|logged_?in|signed_?in)$/i,
    states: (value) => value === true,
  },
  // Codes in which 0, 200 or a word is success: `code`, `errno`, `error_code`, `resultCode`, `ret`.
  {
    name: /^(?:code|ret|(?:ret|return|result|response|status|err|error)_?(?:code|no))$/i,
    states: isCodeOfSuccess,
  },
  // Any other word may be the state of an object, which may differ from run to run. Beside `data`, it is not.
  {
    name: /^(?:type|status|result)$/,
    states: (value) => isWord(value, /^(?:ok|success|succeeded|error|failure|redirect)$/i),
    succeeds: (value, document) => isWord(value, /^(?:ok|success)$/i) && "data" in document,
  },
  // In any other object, these may describe it: `{"id":7,"verified":true}`.
  {
    name: /^(?:result|(?:is_?)?(?:accepted|added|confirmed|created|deleted|done|removed|saved|sent|updated|valid|verified))$/i,
    states: (value, document) => value === true && isAnswer(document),
    succeeds: () => false,
  },
  {
    name: /^status$/,
    states: (value, document) => value === httpOk || (value === true && isAnswer(document)),
    succeeds: (value, document) => value === httpOk || (value === true && "data" in document),
  },
];

const httpOk = 200;

function isCodeOfSuccess(value: unknown): boolean {
  const isCode = typeof value === "number" || typeof value === "string";
  return isCode && /^(?:0+|200|ok|success)$/i.test(String(value));
}

function isYes(value: unknown): boolean {
  return value === 1 || value === "1" || value === "true";
}

function isWord(value: unknown, words: RegExp): boolean {
  return typeof value === "string" && words.test(value);
}

/** Returns true for an object that is only about a request. In others, `status: true` may be a switch. */
function isAnswer(document: Fields): boolean {
  const names = Object.keys(document);
  return names.length === 1 || names.some((name) => /^(?:data|message|msg)$/i.test(name));
}

/** Returns the fields that state the outcome of a change, or the success of any request. */
function statementsIn(document: Fields, which: "states" | "succeeds"): Proof[] {
  return Object.entries(document).flatMap(([name, value]): Proof[] => {
    if (typeof value !== "boolean" && typeof value !== "number" && typeof value !== "string") return [];
    const isStatement = statements.some((one) => {
      const matches = one[which] ?? one.states;
      return one.name.test(name) && matches(value, document);
    });
    return isStatement ? [{ kind: "field", name, value }] : [];
  });
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

import { isRecord } from "../validation/is-record.ts";

type JsonFields = Readonly<Record<string, unknown>>;

/** Names of lists of what is wrong with the input. */
const inputErrors = /^(?:(?:validation|field|form|model)_?errors|error_?messages)$/i;

/** Returns true if `noJsonErrors` finds errors in the fields of a JSON body. */
export function reportsErrors(fields: JsonFields): boolean {
  const { error, errors, data } = fields;
  return (
    !saysNothing(error) ||
    !saysNothing(errors) ||
    Object.entries(fields).some(([name, value]) => inputErrors.test(name) && isFilled(value)) ||
    payloadsOf(data).some((payload) => isRejected(payload) || statesFailure(payload)) ||
    (isRecord(data) && statesFailure(data)) ||
    isOnlyFailure(fields) ||
    !isEmpty(errorsOfInertia(fields)) ||
    snapshotsOfLivewire(fields).some((snapshot) => !isEmpty(errorsOfLivewire(snapshot)))
  );
}

/** Returns the results of GraphQL's operations: one for each field of the query or mutation. */
function payloadsOf(data: unknown): readonly JsonFields[] {
  if (!isRecord(data)) return [];
  return Object.values(data).filter(isRecord);
}

/** True for a result that reports an error in one of the usual ways. */
function isRejected(payload: JsonFields): boolean {
  return Object.entries(payload).some(([name, value]: [string, unknown]) => {
    if (name === "__typename") return typeof value === "string" && value.endsWith("Error");
    if (name === "errors") return Array.isArray(value) && value.some(isInputError);
    return /^(?:\w*U|u)serErrors$/.test(name) && !isEmpty(value);
  });
}

/** True for an error about the input, as of Saleor, Graphene and Rails. Others may be data, such as a job's log. */
function isInputError(error: unknown): boolean {
  if (!isRecord(error)) return false;
  return ("message" in error || "messages" in error) && ("field" in error || "path" in error);
}

/**
 * True for a result that states failure and is only about the request. In others, `success: false` may be data,
 * such as that of a job.
 */
function statesFailure(payload: JsonFields): boolean {
  if (payload["success"] !== false && payload["ok"] !== false) return false;
  const names = Object.keys(payload).filter((name) => name !== "__typename");
  return names.length === 1 || names.some((name) => /^(?:errors?|messages?|msg)$/.test(name));
}

/** The fields of an answer that is nothing but a refusal. */
const fieldsOfRefusal = /^(?:success|ok|errors?|messages?|msg|(?:error_?)?code|status|data|result)$/i;

/** True for `{ success: false, message: "Wrong password" }`: with other fields, it may be the state of a job. */
function isOnlyFailure(fields: JsonFields): boolean {
  const { data, result } = fields;
  if (!statesFailure(fields) || !isEmpty(data) || !isEmpty(result)) return false;
  return Object.keys(fields).every((name) => fieldsOfRefusal.test(name));
}

/** Returns the errors of a form, by field, in a page of Inertia, which redirects with or without errors. */
function errorsOfInertia({ component, props }: JsonFields): unknown {
  return typeof component === "string" && isRecord(props) ? props["errors"] : undefined;
}

/** Returns the states of Livewire's components, each as JSON. */
function snapshotsOfLivewire({ components }: JsonFields): readonly string[] {
  if (!Array.isArray(components)) return [];
  return components
    .filter(isRecord)
    .flatMap(({ snapshot }) => (typeof snapshot === "string" ? [snapshot] : []));
}

function errorsOfLivewire(snapshot: string): unknown {
  try {
    const state: unknown = JSON.parse(snapshot);
    const memo = isRecord(state) ? state["memo"] : undefined;
    return isRecord(memo) ? memo["errors"] : undefined;
  } catch {
    // Not a snapshot of Livewire.
    return undefined;
  }
}

/** Codes and texts by which an interface says that there was no error. */
const noError = /^(?:0|ok|none|success|false|null|no error)?$/i;

/** True for a value that says that there was no error, as a whole or in each of its fields. */
function saysNothing(value: unknown): boolean {
  if (isEmpty(value)) return true;
  if (!isRecord(value)) return typeof value === "string" && noError.test(value);
  const { code, message } = value;
  // Such as TikTok's, which has the number of an entry in a log, too.
  if (typeof code === "string" || typeof code === "number")
    return noError.test(String(code)) && (isEmpty(message) || noError.test(String(message)));
  return Object.values(value).every((field) => isEmpty(field));
}

function isFilled(value: unknown): boolean {
  return typeof value === "object" && !isEmpty(value);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null ? Object.keys(value).length === 0 : !value;
}

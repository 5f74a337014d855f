/** A header by which a response reports a failure, whatever its status. */
export interface ErrorHeader {
  /** Name and value: `grpc-status: 14 (UNAVAILABLE)`. */
  readonly text: string;
  /** The name of the failure; null if the protocol has no names. */
  readonly cause: string | null;
}

/**
 * Statuses by which a gRPC server reports that it failed, or refused the call. The others may be its answer about
 * the data, such as NOT_FOUND from a health check.
 */
const grpcFailures: ReadonlyMap<string, string> = new Map([
  ["2", "UNKNOWN"],
  ["3", "INVALID_ARGUMENT"],
  ["4", "DEADLINE_EXCEEDED"],
  ["7", "PERMISSION_DENIED"],
  ["8", "RESOURCE_EXHAUSTED"],
  ["12", "UNIMPLEMENTED"],
  ["13", "INTERNAL"],
  ["14", "UNAVAILABLE"],
  ["15", "DATA_LOSS"],
  ["16", "UNAUTHENTICATED"],
]);

/** The names of such headers, each with the function that reads its value. */
const readers: ReadonlyMap<string, (value: string) => ErrorHeader | null> = new Map([
  ["grpc-status", readGrpcStatus],
  // API Gateway sends it if an integration hides the status.
  ["x-amzn-errortype", (value) => readAwsError("x-amzn-errortype", value)],
  // Lambda sends it if a function failed: the call of the function succeeded.
  ["x-amz-function-error", (value) => readAwsError("x-amz-function-error", value)],
]);

/** The names of headers that may report a failure, in lower case. */
export const errorHeaderNames: readonly string[] = [...readers.keys()];

/** Returns true if one of the names is as long as this. Most headers need no other look. */
export function mayReportError(nameLength: number): boolean {
  return nameLength === 11 || nameLength === 16 || nameLength === 20;
}

/** Returns the header if it reports a failure; otherwise null. */
export function readErrorHeader(name: string, value: string): ErrorHeader | null {
  return readers.get(name.toLowerCase())?.(value) ?? null;
}

/** Returns the first of these headers, names and values in turn, that reports a failure; null if none does. */
export function findErrorHeader(fields: readonly (Buffer | string)[]): ErrorHeader | null {
  for (let at = 0; at + 1 < fields.length; at += 2) {
    if (!mayReportError(fields[at]?.length ?? 0)) continue;
    const [name = "", value = ""] = fields.slice(at, at + 2).map((text) => text.toString("latin1"));
    const found = readErrorHeader(name, value);
    if (found !== null) return found;
  }
  return null;
}

function readAwsError(name: string, value: string): ErrorHeader | null {
  // The address of a namespace may follow the error's name.
  const [error = ""] = value.split(":");
  return error === "" ? null : { text: `${name}: ${error}`, cause: null };
}

function readGrpcStatus(value: string): ErrorHeader | null {
  const cause = grpcFailures.get(value);
  return cause === undefined ? null : { text: `grpc-status: ${value} (${cause})`, cause };
}

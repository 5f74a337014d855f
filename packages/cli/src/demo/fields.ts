import type { DemoRequest } from "./route.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Reads the fields of a JSON object or an HTML form; undefined for any other body. */
export function readFields({ headers, body }: Pick<DemoRequest, "headers" | "body">): Fields | undefined {
  const type = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded")
    return Object.fromEntries(new URLSearchParams(body.toString()));
  if (type !== "application/json") return undefined;
  try {
    const value: unknown = JSON.parse(body.toString());
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

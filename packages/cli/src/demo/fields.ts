import { isRecord } from "@bearhug/sdk/internal";
import { tryJson } from "@bearhug/text/try-json";
import { Busboy } from "@fastify/busboy";

import type { DemoRequest } from "./route.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Reads the fields of a JSON object or an HTML form; undefined for any other body. */
export function readFields({ headers, body }: Pick<DemoRequest, "headers" | "body">): Fields | undefined {
  const type = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded")
    return Object.fromEntries(new URLSearchParams(body.toString()));
  if (type !== "application/json") return undefined;
  const value = tryJson(body.toString());
  return isRecord(value) ? value : undefined;
}

interface UploadedFile {
  readonly type: string;
  readonly bytes: number;
}

/** The fields and files of a form, by name. */
interface MultipartForm {
  readonly fields: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, UploadedFile>;
}

/** Parses a `multipart/form-data` body; undefined for any other body, or an incomplete one. */
export async function readMultipart({
  headers,
  body,
}: Pick<DemoRequest, "headers" | "body">): Promise<MultipartForm | undefined> {
  const type = headers["content-type"] ?? "";
  if (!/^multipart\/form-data\s*;.*\bboundary="?[^\s;"]{1,70}(?:["\s;]|$)/i.test(type)) return undefined;
  const fields = new Map<string, string>();
  const files = new Map<string, UploadedFile>();
  const busboy = new Busboy({ headers: { "content-type": type } });
  return new Promise((resolve) => {
    const refuse = (): void => resolve(undefined);
    busboy.on("field", (name, value) => fields.set(name, value));
    busboy.on("file", (name, content, _filename, _encoding, mimeType) => {
      let bytes = 0;
      content.on("data", (chunk: Buffer) => (bytes += chunk.length));
      content.on("end", () => files.set(name, { type: mimeType, bytes }));
      content.on("error", refuse);
    });
    busboy.on("finish", () => resolve({ fields, files }));
    busboy.on("error", refuse);
    busboy.end(body);
  });
}

import { z } from "zod";
import type { PostData } from "../capture.ts";
import { isBase64 } from "./is-base64.ts";
import { list, text, textOrNumber } from "./json-fields.ts";

const postDataSchema = z.compile(
  z.object({ mimeType: text, text, encoding: text, params: list }).nullable().catch(null),
);

const paramSchema = z.compile(
  z.object({
    name: z.string(),
    value: textOrNumber,
    fileName: z.string().nullable().catch(null),
    contentType: z.string().nullable().catch(null),
  }),
);

/**
 * The body of a request; null where there is none to read.
 *
 * @param contentType Of the request's headers: some recorders leave the body's own type out.
 */
export function readPostData(
  raw: unknown,
  contentType: string,
  report: (field: string, problem: string) => void,
): PostData | null {
  const postData = postDataSchema.parse(raw);
  if (postData === null) return null;
  const params = postData.params.flatMap((rawParam) => {
    const param = paramSchema.safeParse(rawParam);
    return param.success ? [param.data] : [];
  });
  const { mimeType, text: sent, encoding } = postData;
  const saysBase64 = encoding.toLowerCase() === "base64";
  const isDecodable = saysBase64 && isBase64(sent);
  if (saysBase64 && !isDecodable) {
    report(".request.postData.text", "is marked as base64 but is not; read as text");
  }
  return { mimeType: mimeType === "" ? contentType : mimeType, text: sent, isBase64: isDecodable, params };
}

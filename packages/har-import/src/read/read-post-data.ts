import { z } from "zod";
import type { PostData } from "../capture.ts";
import { list, text, textOrNumber } from "./json-fields.ts";

const postDataSchema = z
  .object({ mimeType: text, text, encoding: text, params: list })
  .nullable()
  .catch(null);

const paramSchema = z.object({
  name: z.string(),
  value: textOrNumber,
  fileName: z.string().nullable().catch(null),
  contentType: z.string().nullable().catch(null),
});

/** The body of a request; null where there is none to read. */
export function readPostData(raw: unknown): PostData | null {
  const postData = postDataSchema.parse(raw);
  if (postData === null) return null;
  const params = postData.params.flatMap((rawParam) => {
    const param = paramSchema.safeParse(rawParam);
    return param.success ? [param.data] : [];
  });
  const { mimeType, text: sent, encoding } = postData;
  return { mimeType, text: sent, isBase64: encoding.toLowerCase() === "base64", params };
}

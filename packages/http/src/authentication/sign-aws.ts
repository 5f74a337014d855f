import type { AwsAuth } from "@bearhug/sdk";
import aws4 from "aws4";

import type { WireRequest } from "../transport/transport.ts";

/** Returns the headers that sign a request for AWS (Signature Version 4), names and values in turn. */
export function signForAws(
  { method, origin, path, headers, body }: Omit<WireRequest, "isConstant">,
  { region, service, accessKeyId, secretAccessKey, sessionToken }: AwsAuth,
): string[] {
  const given = new Map<string, string>();
  for (let at = 0; at + 1 < headers.length; at += 2)
    given.set((headers[at] ?? "").toLowerCase(), headers[at + 1] ?? "");
  const signable = [...given].filter(
    ([name]) => name === "host" || name === "content-type" || name.startsWith("x-amz-"),
  );
  const isStream = body !== null && !(body instanceof Uint8Array);
  const request = {
    host: origin.text.replace(/^https?:\/\//, ""),
    method,
    path,
    service,
    region,
    // Without these two, the signer would add its own content type and sign a length.
    headers: {
      "content-type": "",
      "content-length": "0",
      ...(isStream ? { "x-amz-content-sha256": "UNSIGNED-PAYLOAD" } : {}),
      ...Object.fromEntries(signable),
    },
    extraHeadersToIgnore: {
      "content-length": true,
      ...(given.has("content-type") ? {} : { "content-type": true }),
    },
    ...(body instanceof Uint8Array
      ? { body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) }
      : {}),
  };
  const credentials = {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
  };
  const { headers: signed = {} } = aws4.sign(request, credentials);
  return Object.entries(signed).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    const isNew = lower === "authorization" || (lower.startsWith("x-amz-") && !given.has(lower));
    return isNew ? [lower, String(value)] : [];
  });
}

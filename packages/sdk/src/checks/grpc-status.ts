import type { ExtractionSource } from "../extract/extractor.ts";
import { fromBase64 } from "../text/from-base64.ts";

/** Matches `content-type` of gRPC-Web; `-text` is in base64. */
const grpcWeb = /^\s*application\/grpc-web(-text)?\b/i;

/**
 * Returns the status of a gRPC-Web response: from the header `grpc-status`, which a response without messages
 * has, else from the trailers at the end of its body. null if there is none, or for any other response.
 */
export function grpcStatusOf(answer: Pick<ExtractionSource, "header" | "text">): number | null {
  const type = grpcWeb.exec(answer.header("content-type") ?? "");
  if (type === null) return null;
  const inHeader = answer.header("grpc-status");
  if (inHeader !== null) return Number(inHeader);
  const body = type[1] === undefined ? answer.text() : decodeFrames(answer.text());
  const inTrailers = [...body.matchAll(/grpc-status:[ \t]*(\d{1,3})/gi)].at(-1)?.[1];
  return inTrailers === undefined ? null : Number(inTrailers);
}

/** Decodes base64 of frames, each of which may end in padding. */
function decodeFrames(text: string): string {
  return text.replaceAll(/[A-Za-z\d+/]+={0,2}/g, (frame) =>
    Array.from(fromBase64(frame), (byte) => String.fromCharCode(byte)).join(""),
  );
}

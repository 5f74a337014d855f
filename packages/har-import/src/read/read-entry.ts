import { z } from "zod";
import type { CaptureEntry, Finding } from "../capture.ts";
import { anything, list, text, textOrNumber } from "./json-fields.ts";
import { parseStart } from "./parse-start.ts";
import { readHeaders } from "./read-headers.ts";
import { readPostData } from "./read-post-data.ts";
import { readResponse } from "./read-response.ts";

const flag = anything.transform((value) => value === true || (typeof value === "string" && value !== ""));

const entrySchema = z.object({
  pageref: textOrNumber,
  startedDateTime: text,
  request: z.object({
    method: z.string().min(1),
    url: z.string().min(1),
    headers: list,
    postData: anything,
  }),
  response: anything,
  _resourceType: text,
  _fromCache: flag,
  _fetchedViaServiceWorker: flag,
  _webSocketMessages: list,
});

type RawEntry = z.infer<typeof entrySchema>;

/** One element of `log.entries`; null when it has no request that could be made, which is then a finding. */
export function readEntry(raw: unknown, index: number, findings: Finding[]): CaptureEntry | null {
  const path = `$.log.entries[${index}]`;
  const parsed = entrySchema.safeParse(raw);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.map((key) => `.${String(key)}`).join("") ?? "";
    findings.push({ path: path + field, problem: "is missing or cannot be read: the entry is left out" });
    return null;
  }
  const { request, startedDateTime, ...entry } = parsed.data;
  const startedAtMs = parseStart(startedDateTime);
  if (startedAtMs === null && startedDateTime !== "") {
    findings.push({
      path: `${path}.startedDateTime`,
      problem: "is no date: the entry keeps its place in the file",
    });
  }
  const response = readResponse(entry.response, (field, problem) =>
    findings.push({ path: `${path}.response.${field}`, problem }),
  );
  return {
    index,
    pageRef: entry.pageref === "" ? null : entry.pageref,
    startedAtMs,
    resourceType: entry._resourceType.toLowerCase(),
    servedBy: whoAnswered(entry),
    isWebSocket: entry._resourceType.toLowerCase() === "websocket" || entry._webSocketMessages.length > 0,
    request: {
      method: request.method,
      url: request.url,
      headers: readHeaders(request.headers),
      postData: readPostData(request.postData),
    },
    response,
  };
}

function whoAnswered(
  entry: Pick<RawEntry, "_fromCache" | "_fetchedViaServiceWorker">,
): CaptureEntry["servedBy"] {
  if (entry._fetchedViaServiceWorker) return "service worker";
  return entry._fromCache ? "cache" : "network";
}

export type { Capture, CaptureEntry, CapturePage, EntryRequest, EntryResponse, Finding } from "./capture.ts";
export { CaptureError } from "./capture-error.ts";
export type {
  CapturedBody,
  CapturedPage,
  CapturedRequest,
  CaptureModel,
  Omission,
  OmissionReason,
} from "./capture-model.ts";
export { importCapture } from "./import-capture.ts";
export { readCapture } from "./read/read-capture.ts";
export { summarizeCapture } from "./show/summarize-capture.ts";

export type {
  Capture,
  CaptureEntry,
  CapturePage,
  EntryRequest,
  EntryResponse,
  EntryTimings,
  Finding,
} from "./capture.ts";
export { CaptureError } from "./capture-error.ts";
export type {
  CapturedBody,
  CapturedCookie,
  CapturedRequest,
  CapturedStep,
  CaptureModel,
  DataTable,
  Extraction,
  ImportedCapture,
  JsonShape,
  MultipartPart,
  Omission,
  OmissionReason,
  Variable,
  Wave,
} from "./capture-model.ts";
export type { CaptureSource } from "./capture-source.ts";
export { isOfOneRecording } from "./correlate/recorded-segment.ts";
export { importCapture, type ImportOptions } from "./import-capture.ts";
export type { BodyOf } from "./read/attached-bodies.ts";
export { readCapture } from "./read/read-capture.ts";
export { redactHar } from "./redact/redact-har.ts";
export { type HostPattern, parseHostPattern } from "./select/host-pattern.ts";
export { markKept, type MarkedEntry } from "./select/mark-kept.ts";
export type { Parsed } from "./select/parsed.ts";
export { parsePattern, type Pattern } from "./select/pattern.ts";
export type { SelectOptions } from "./select/select-options.ts";
export { describeSize } from "./show/describe-size.ts";
export { explainCapture } from "./show/explain-capture.ts";
export { renderWaterfall } from "./show/waterfall/render-waterfall.ts";
export type { TestFile } from "./source/data-file.ts";
export { SecretLeakError } from "./source/secret-leak-error.ts";
export type { TestOptions } from "./source/write-source.ts";
export { type TestSource, writeTest } from "./source/write-test.ts";
export type { Atom, FreshPart, FreshValue, Value, ValuePart } from "./value.ts";

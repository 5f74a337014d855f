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
export {
  type Capture,
  type CaptureEntry,
  CaptureError,
  type CapturePage,
  type CaptureSource,
  type EntryRequest,
  type EntryResponse,
  type EntryTimings,
  type Finding,
} from "./capture.ts";
export { isRecordingSpecific } from "./correlate/whole-address.ts";
export { importCapture, type ImportOptions } from "./import-capture.ts";
export type { BodyOf } from "./read/attached-bodies.ts";
export { readCapture } from "./read/read-capture.ts";
export { redactHar } from "./redact/redact-har.ts";
export {
  type HostPattern,
  type Parsed,
  parseHostPattern,
  parsePattern,
  type Pattern,
} from "./select/pattern.ts";
export { type MarkedEntry, markSelected } from "./select/select-entries.ts";
export type { SelectOptions } from "./select/why-omitted.ts";
export { explainCapture } from "./show/explain-capture.ts";
export { describeSize, groupOmissions, type OmissionGroup } from "./show/summary.ts";
export { renderWaterfall } from "./show/waterfall/render-waterfall.ts";
export type { TestOptions } from "./source/write-source.ts";
export { SecretLeakError, type TestFile, type TestSource, writeTest } from "./source/write-test.ts";
export type { Atom, FreshPart, FreshValue, Value, ValuePart } from "./value.ts";

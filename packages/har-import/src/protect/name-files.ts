import type { CapturedRequest, CaptureModel, MultipartPart } from "../capture-model.ts";
import { mapEach, mapRequests } from "../map-atoms.ts";
import type { Variables } from "./variables.ts";

/** A model in which each file whose content was not recorded has a variable for its path, and a hint that names it. */
export function nameFiles(model: CaptureModel, variables: Variables): CaptureModel {
  return { ...model, ...mapRequests(model, (request) => nameFilesOf(request, variables)) };
}

function nameFilesOf(request: CapturedRequest, variables: Variables): CapturedRequest {
  const { body } = request;
  if (body?.kind !== "multipart") return request;
  const parts = mapEach(body.parts, (part): MultipartPart => {
    if (part.file === undefined) return part;
    return { ...part, file: variables.fileFor(part.atom, { kind: "multipart", request }) };
  });
  if (parts === body.parts) return request;
  const hints = parts.flatMap(({ file }) => (file === undefined ? [] : [hintFile(file)]));
  return { ...request, body: { ...body, parts }, hints: [...request.hints, ...hints] };
}

function hintFile(variable: string): string {
  return `the uploaded file was not recorded: set ${variable} to the path of one. Until then, an empty file is sent`;
}

import type { CaptureModel } from "../../src/index.ts";
import { atom, modelOf, requestOf, stepOf } from "./models.ts";

/** Returns a model with the given text in every text field. */
export function modelFullOf(text: string): CaptureModel {
  const value = [
    { kind: "text", text } as const,
    { kind: "variable", name: text } as const,
    { kind: "extracted", name: text } as const,
    { kind: "cookie", name: text, origin: text } as const,
    { kind: "column", table: text, column: text, row: 0 } as const,
    { kind: "fresh", what: { digits: 4 }, id: text } as const,
  ];
  const everywhere = atom(text, value);
  const request = requestOf("/", {
    method: text,
    origin: text,
    path: [everywhere, atom(text, text)],
    query: [everywhere, atom(text, text), atom("", value)],
    headers: [everywhere],
    extractions: [
      { json: text },
      { field: text, nth: 2 },
      { meta: text },
      { header: text },
      { query: text },
      { between: [text, text] as const },
    ].map((from) => ({ name: text, from })),
    hints: [text],
    outlasts: true,
    redirectedTo: [1, 2],
  });
  const bodies = [
    {
      kind: "json",
      root: { kind: "object", fields: [[text, { kind: "string", atom: everywhere }]] },
      written: text,
    },
    { kind: "form", fields: [everywhere] },
    { kind: "multipart", boundary: text, parts: [{ atom: everywhere, fileName: text, contentType: text }] },
    { kind: "text", text: everywhere },
    { kind: "bytes", base64: text },
  ] as const;
  return modelOf({
    origin: text,
    hosts: [text, "https://shop.test"],
    steps: [
      stepOf([bodies.map((body) => ({ ...request, body }))], { name: text }),
      stepOf([[request]], { name: text }),
    ],
    cookies: [{ name: text, origin: text, value }],
    variables: [{ name: text, description: text, isOptional: false }],
    tables: [{ name: text, columns: [text], rows: [[text]] }],
    notes: [text],
    findings: [{ path: text, problem: text }],
    omissions: [{ entryIndex: 0, method: text, url: text, host: text, reason: "third party" }],
  });
}

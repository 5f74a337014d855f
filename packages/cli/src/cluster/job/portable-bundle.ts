import { dirname } from "node:path";
import { pathToFileURL } from "node:url";

import { nodesIn, type AnyNode, type Program } from "@bearhug/plan/test-file/test-syntax";

import type { JobPlace } from "./job-description.ts";

/** A bundle's code, without places of the machine that made it. */
export interface PortableBundle {
  readonly code: string;
  readonly places: readonly JobPlace[];
}

/** The address that a portable bundle imports the SDK from. */
const anySdk = "bearhug:sdk";

/** The machine's places that may be in the code of a bundle. */
export interface KnownPlaces {
  /** The address of the SDK, and its path. */
  readonly sdk: { readonly url: string; readonly path: string };
  /** By the text that the code has for it. */
  readonly places: ReadonlyMap<string, Omit<JobPlace, "variable">>;
}

/** The texts that `import.meta` and `__dirname` become in the bundled code of a module, and the paths that they stand for. */
export function placesOfModule({
  path,
  text,
}: {
  readonly path: string;
  readonly text: string;
}): Map<string, { readonly kind: "path" | "url"; readonly path: string }> {
  const folder = dirname(path);
  const places = new Map<string, { readonly kind: "path" | "url"; readonly path: string }>([
    [pathToFileURL(path).href, { kind: "url", path }],
    [path, { kind: "path", path }],
  ]);
  // The folder of a module that does not ask for it is more likely the path of a request.
  if (/dirname\b/.test(text)) places.set(folder, { kind: "path", path: folder });
  return places;
}

/**
 * Puts a variable in place of each text that names a place of this machine. It is as wide as the text where that is wide enough, so that
 * the source map still leads to the same columns.
 */
export function makePortable(code: string, program: Program, { sdk, places }: KnownPlaces): PortableBundle {
  const used = new Map<string, JobPlace>();
  const fixed = fixedTexts(program);
  const changes: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  for (const node of nodesIn(program)) {
    if (node.type !== "Literal" || typeof node.value !== "string") continue;
    const { value, start, end } = node;
    if (fixed.has(node)) {
      if (fixed.get(node) === "address" && value === sdk.url)
        changes.push({ start, end, text: JSON.stringify(anySdk) });
      continue;
    }
    const place = value === sdk.path ? ({ kind: "sdk", path: "" } as const) : places.get(value);
    if (place === undefined) continue;
    const variable = used.get(value)?.variable ?? `bearhugPlace${used.size}`;
    used.set(value, { ...place, variable });
    changes.push({ start, end, text: variable.padEnd(end - start) });
  }
  return { code: applyChanges(code, changes), places: [...used.values()] };
}

function applyChanges(
  code: string,
  changes: readonly { readonly start: number; readonly end: number; readonly text: string }[],
): string {
  const ordered = changes.toSorted((one, other) => one.start - other.start);
  let done = 0;
  const pieces = ordered.flatMap(({ start, end, text }) => {
    const before = code.slice(done, start);
    done = end;
    return [before, text];
  });
  return pieces.join("") + code.slice(done);
}

/** Texts that no expression can replace: addresses of imports, keys and directives. */
function fixedTexts(program: Program): Map<AnyNode, "address" | "other"> {
  const fixed = new Map<AnyNode, "address" | "other">();
  for (const node of nodesIn(program)) {
    if ("source" in node && node.source) fixed.set(node.source, "address");
    if ("key" in node && !("computed" in node && node.computed)) fixed.set(node.key, "other");
    if (node.type === "ExpressionStatement") fixed.set(node.expression, "other");
  }
  return fixed;
}

/** Gives a portable bundle the places of this machine, in its first line, which no line of the source map is about. */
export function settleBundle(
  { code, places }: PortableBundle,
  sdk: KnownPlaces["sdk"],
  locate: (place: JobPlace) => string,
): string {
  const declared = places.map((place) => {
    const text = place.kind === "sdk" ? sdk.path : locate(place);
    return `const ${place.variable} = ${JSON.stringify(text)};`;
  });
  const [banner = "", ...lines] = code.split("\n");
  return [[banner, ...declared].join(" "), ...lines]
    .join("\n")
    .replaceAll(JSON.stringify(anySdk), JSON.stringify(sdk.url));
}

import { dirname } from "node:path";
import { pathToFileURL } from "node:url";

import { nodesIn, type AnyNode, type Program } from "@bearhug/plan/test-file/test-syntax";

import type { JobPlace } from "./job-description.ts";

/** A bundle's code, without paths of the machine that made it. */
export interface PortableBundle {
  readonly code: string;
  readonly places: readonly JobPlace[];
}

/** The placeholder from which a portable bundle imports the SDK. */
const anySdk = "bearhug:sdk";

/** Paths of this machine that may occur in the code of a bundle. */
export interface KnownPlaces {
  /** The SDK's address and path. */
  readonly sdk: { readonly url: string; readonly path: string };
  /** Places by the text that represents them in the code. */
  readonly places: ReadonlyMap<string, Omit<JobPlace, "variable">>;
}

/**
 * Returns the texts that replace `import.meta` and `__dirname` in a module's bundled code, with their paths.
 */
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
  // In a module that does not use dirname, a text equal to its folder is more likely the path of a request.
  if (/dirname\b/.test(text)) places.set(folder, { kind: "path", path: folder });
  return places;
}

/**
 * Replaces each text that is a path of this machine by a variable, padded to the width of the text if
 * shorter, so that the source map's columns stay valid.
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

/** Returns texts that an expression cannot replace: addresses of imports, keys and directives. */
function fixedTexts(program: Program): Map<AnyNode, "address" | "other"> {
  const fixed = new Map<AnyNode, "address" | "other">();
  for (const node of nodesIn(program)) {
    if ("source" in node && node.source) fixed.set(node.source, "address");
    if ("key" in node && !("computed" in node && node.computed)) fixed.set(node.key, "other");
    if (node.type === "ExpressionStatement") fixed.set(node.expression, "other");
  }
  return fixed;
}

/**
 * Fills in this machine's paths in a portable bundle: in its first line, which the source map does not cover.
 */
export function localizeBundle(
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

import { changingMethods } from "@bearhug/sdk/internal";
import type { CaptureEntry } from "../capture.ts";

/** A report of one product, by its path or by how its body begins. */
interface Report {
  readonly path?: RegExp;
  readonly body?: RegExp;
}

/** Reports of scripts that tell people from programs, which a site's own hosts pass on. */
const reports: readonly Report[] = [
  { path: /^\/cdn-cgi\/challenge-platform\// }, // Cloudflare
  { body: /^\s*\{\s*"sensor_data"\s*:/ }, // Akamai
  { path: /^\/_Incapsula_Resource$/ }, // Imperva
  { path: /^\/TSPD\// }, // F5
  { path: /\/collector$/, body: /(?:^|&)appId=PX/ }, // HUMAN
  { path: /\/js\/?$/, body: /(?:^|&)jsData=.*&ddk=/s }, // DataDome
  { path: /^\/[\da-f]{8}-[\da-f-]{27}\/[\da-f]{8}-[\da-f-]{27}\/tl$/ }, // Kasada
];

/**
 * Returns true for a request in which a page proves that a browser shows it. It is made of what was measured then, and no
 * replay proves anything with it.
 */
export function isBotCheck({ request }: CaptureEntry, url: URL): boolean {
  if (!changingMethods.has(request.method.toUpperCase())) return false;
  const text = request.postData?.text ?? "";
  return reports.some(({ path, body }) => (path?.test(url.pathname) ?? true) && (body?.test(text) ?? true));
}

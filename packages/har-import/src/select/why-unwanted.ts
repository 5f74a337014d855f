import type { OmissionReason } from "../capture-model.ts";
import type { Visit } from "../visit.ts";
import { siteOf } from "./first-party.ts";
import { matchesHost } from "./host-pattern.ts";
import { matchesPattern } from "./pattern.ts";
import { resourceTypeOf, type ResourceType } from "./resource-type.ts";
import type { SelectOptions } from "./select-options.ts";
import { isTrackingHost } from "./tracking-hosts.ts";
import { isTrackingRequest } from "./tracking-requests.ts";

const staticTypes: ReadonlySet<ResourceType> = new Set(["stylesheet", "image", "font", "script", "media"]);

/**
 * Why a request that could be sent is not wanted by somebody who went to a document; null when it is.
 *
 * @param keepsOwn Whether the analytics of the document's own site are wanted.
 */
export function whyUnwanted(
  { entry, url }: Visit,
  document: URL,
  options: SelectOptions,
  keepsOwn: boolean,
): OmissionReason | null {
  const { skipHosts = [], only = [], skip = [] } = options;
  const reason = whyOthers(url, document, options);
  if (reason !== null) return reason;
  if (skipHosts.some((pattern) => matchesHost(pattern, url))) return "host skipped (--skip-hosts)";
  const isWanted = isNamed(url, options) || (keepsOwn && siteOf(url) === siteOf(document));
  if (!isWanted && isTrackingRequest(entry, url, document)) return "analytics or advertising";
  if (skip.some((pattern) => matchesPattern(pattern, entry, url))) return "skipped (--skip)";
  if (only.length > 0 && !only.some((pattern) => matchesPattern(pattern, entry, url)))
    return "not matched (--only)";
  if (options.static === "drop" && staticTypes.has(resourceTypeOf(entry, url)))
    return "static file (--static drop)";
  return null;
}

/** A host of the first party is kept whatever it is called: the site of an advertiser may be what is to be tested. */
function whyOthers(url: URL, document: URL, options: SelectOptions): OmissionReason | null {
  if (siteOf(url) === siteOf(document) || isNamed(url, options)) return null;
  if (isTrackingHost(url)) return "analytics or advertising";
  return (options.hosts ?? []).some((pattern) => matchesHost(pattern, url)) ? null : "third party";
}

/** Whether somebody asked for this very host. */
function isNamed(url: URL, { hosts = [] }: SelectOptions): boolean {
  return hosts.some((pattern) => !pattern.isWildcard && matchesHost(pattern, url));
}

import type { Omission, OmissionReason } from "../capture-model.ts";
import { findDocument } from "../pages/document.ts";
import { printable } from "../show/printable.ts";
import { showUrl } from "../show/shown-url.ts";
import type { TimedEntry, Visit } from "../visit.ts";
import { firstPartyOf } from "./first-party.ts";
import { whyUnsendable } from "./why-unsendable.ts";

export interface Selection {
  /** In the order of the input. */
  readonly kept: readonly Visit[];
  /** In file order. */
  readonly omissions: readonly Omission[];
  /** Of the first document; null when nothing can be sent. */
  readonly origin: string | null;
}

/** Parts what can be sent to the first party from the rest. Expects recorded order: the first document decides. */
export function selectEntries(entries: readonly TimedEntry[]): Selection {
  const omissions: Omission[] = [];
  const sendable: Visit[] = [];
  for (const timed of entries) {
    const url = URL.parse(timed.entry.request.url);
    const reason = whyUnsendable(timed.entry, url);
    if (reason !== null || url === null) omissions.push(omit(timed, url, reason ?? "URL cannot be read"));
    else sendable.push({ ...timed, url });
  }

  const first = findDocument(sendable);
  const isFirstParty = first === undefined ? () => false : firstPartyOf(first.url);
  const kept = sendable.filter(({ url }) => isFirstParty(url));
  omissions.push(
    ...sendable.filter(({ url }) => !isFirstParty(url)).map((visit) => omit(visit, visit.url, "third party")),
  );
  omissions.sort((left, right) => left.entryIndex - right.entryIndex);
  return { kept, omissions, origin: first?.url.origin ?? null };
}

function omit({ entry }: TimedEntry, url: URL | null, reason: OmissionReason): Omission {
  const method = printable(entry.request.method, 20);
  return { entryIndex: entry.index, method, url: showUrl(entry.request.url), host: url?.host ?? "", reason };
}

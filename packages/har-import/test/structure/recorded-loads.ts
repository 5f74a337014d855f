import fc from "fast-check";
import type { Visit } from "../../src/visit.ts";
import { callOf, documentOf, visitOf } from "./recorded-visits.ts";

interface PlannedRequest {
  /** The earlier request that caused this one, as a fraction of their number. */
  readonly parent: number;
  /** Milliseconds that the browser spends before it starts this request. */
  readonly gap: number;
  /** True if the request starts while the parent is still being received. */
  readonly isEarly: boolean;
  readonly took: number;
  readonly host: number;
  readonly kind: "file" | "script" | "call";
  readonly hasInitiator: boolean;
}

const request: fc.Arbitrary<PlannedRequest> = fc.record({
  parent: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.999, noNaN: true })),
  gap: fc.oneof(fc.constant(0), fc.nat(30), fc.nat(400)),
  isEarly: fc.boolean(),
  took: fc.oneof(fc.nat(30), fc.nat(300), fc.nat(2_000)),
  host: fc.nat(2),
  kind: fc.constantFrom("file", "script", "call"),
  hasInitiator: fc.boolean(),
});

/** Page loads as a browser would make and record them, in recorded order. */
export const recordedLoads: fc.Arbitrary<Visit[]> = fc
  .record({
    documentTook: fc.nat(1_500),
    planned: fc.array(request, { maxLength: 59, size: "max" }),
    protocols: fc.tuple(protocol(), protocol(), protocol()),
    recordsQueue: fc.boolean(),
  })
  .map(({ documentTook, planned, protocols, recordsQueue }) =>
    load(documentTook, planned, protocols, recordsQueue),
  );

function protocol(): fc.Arbitrary<"http/1" | "http/2"> {
  return fc.constantFrom("http/1", "http/2");
}

/** Simulates a page load: a host with HTTP/1 has six connections, and requests get them in order of arrival. */
function load(
  documentTook: number,
  planned: readonly PlannedRequest[],
  protocols: readonly ("http/1" | "http/2")[],
  recordsQueue: boolean,
): Visit[] {
  const document = documentOf("https://host0.shop.test/", { at: 0, took: documentTook });
  const made = [{ url: document.url.href, startMs: 0, endMs: documentTook }];
  const freeAtMs = protocols.map((): number[] => []);
  const visits = [document];
  const numbered = planned.map((own, index) => ({ ...own, index: index + 1 }));
  const pending: { startMs: number; request: PlannedRequest; url: string; initiator: string }[] = [];
  const children = Map.groupBy(numbered, ({ parent, index }) => Math.floor(parent * index));
  const startChildren = (index: number): void => {
    const parent = made[index];
    if (parent === undefined) return;
    for (const child of children.get(index) ?? []) {
      const url = `https://host${String(child.host)}.shop.test/${String(child.index)}`;
      const fromMs = child.isEarly ? parent.startMs + (parent.endMs - parent.startMs) / 2 : parent.endMs;
      pending.push({ startMs: fromMs + child.gap, request: child, url, initiator: parent.url });
    }
  };
  startChildren(0);
  while (pending.length > 0) {
    pending.sort((left, right) => left.startMs - right.startMs);
    const next = pending.shift();
    if (next === undefined) break;
    const slots = freeAtMs[next.request.host] ?? [];
    const isQueued = protocols[next.request.host] === "http/1" && slots.length >= 6;
    const runMs = isQueued ? Math.max(next.startMs, Math.min(...slots)) : next.startMs;
    if (isQueued) slots.splice(slots.indexOf(Math.min(...slots)), 1);
    const endMs = runMs + next.request.took;
    slots.push(endMs);
    const at = recordsQueue ? next.startMs : runMs;
    const make = next.request.kind === "call" ? callOf : visitOf;
    visits.push(
      make(next.url, {
        ...(next.request.kind === "script" && { type: "script" }),
        at,
        took: endMs - at,
        blocked: runMs - at,
        protocol: protocols[next.request.host] ?? "http/1",
        initiator: next.request.hasInitiator ? { type: "script", url: next.initiator } : null,
      }),
    );
    const index = Number(next.url.split("/").at(-1));
    made[index] = { url: next.url, startMs: runMs, endMs };
    startChildren(index);
  }
  return visits.sort((left, right) => (left.atMs ?? 0) - (right.atMs ?? 0));
}

import fc from "fast-check";
import type { Visit } from "../../src/visit.ts";
import { callOf, documentOf, visitOf } from "./recorded-visits.ts";

interface Wish {
  /** Which earlier request asked for it, as a share of them. */
  readonly parent: number;
  /** Browser's own time after the parent's end. */
  readonly gap: number;
  /** Whether it was asked for while the parent was still coming in. */
  readonly isEarly: boolean;
  readonly took: number;
  readonly host: number;
  readonly kind: "file" | "script" | "call";
  readonly saysInitiator: boolean;
}

const wish: fc.Arbitrary<Wish> = fc.record({
  parent: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.999, noNaN: true })),
  gap: fc.oneof(fc.constant(0), fc.nat(30), fc.nat(400)),
  isEarly: fc.boolean(),
  took: fc.oneof(fc.nat(30), fc.nat(300), fc.nat(2_000)),
  host: fc.nat(2),
  kind: fc.constantFrom("file", "script", "call"),
  saysInitiator: fc.boolean(),
});

/** Loads of pages as a browser would have made and recorded them, in recorded order. */
export const recordedLoads: fc.Arbitrary<Visit[]> = fc
  .record({
    documentTook: fc.nat(1_500),
    wishes: fc.array(wish, { maxLength: 59, size: "max" }),
    protocols: fc.tuple(protocol(), protocol(), protocol()),
    recordsQueue: fc.boolean(),
  })
  .map(({ documentTook, wishes, protocols, recordsQueue }) =>
    load(documentTook, wishes, protocols, recordsQueue),
  );

function protocol(): fc.Arbitrary<"http/1" | "http/2"> {
  return fc.constantFrom("http/1", "http/2");
}

/** Six connections to a host that speaks HTTP/1; who asked first is served first. */
function load(
  documentTook: number,
  wishes: readonly Wish[],
  protocols: readonly ("http/1" | "http/2")[],
  recordsQueue: boolean,
): Visit[] {
  const document = documentOf("https://host0.shop.test/", { at: 0, took: documentTook });
  const made = [{ url: document.url.href, startMs: 0, endMs: documentTook }];
  const freeAtMs = protocols.map((): number[] => []);
  const visits = [document];
  const waiting = wishes.map((own, index) => ({ ...own, index: index + 1 }));
  const wanted: { startMs: number; wish: Wish; url: string; initiator: string }[] = [];
  const children = Map.groupBy(waiting, ({ parent, index }) => Math.floor(parent * index));
  const ask = (index: number): void => {
    const parent = made[index];
    if (parent === undefined) return;
    for (const child of children.get(index) ?? []) {
      const url = `https://host${String(child.host)}.shop.test/${String(child.index)}`;
      const fromMs = child.isEarly ? parent.startMs + (parent.endMs - parent.startMs) / 2 : parent.endMs;
      wanted.push({ startMs: fromMs + child.gap, wish: child, url, initiator: parent.url });
    }
  };
  ask(0);
  while (wanted.length > 0) {
    wanted.sort((left, right) => left.startMs - right.startMs);
    const next = wanted.shift();
    if (next === undefined) break;
    const slots = freeAtMs[next.wish.host] ?? [];
    const isQueued = protocols[next.wish.host] === "http/1" && slots.length >= 6;
    const runMs = isQueued ? Math.max(next.startMs, Math.min(...slots)) : next.startMs;
    if (isQueued) slots.splice(slots.indexOf(Math.min(...slots)), 1);
    const endMs = runMs + next.wish.took;
    slots.push(endMs);
    const at = recordsQueue ? next.startMs : runMs;
    const make = next.wish.kind === "call" ? callOf : visitOf;
    visits.push(
      make(next.url, {
        ...(next.wish.kind === "script" && { type: "script" }),
        at,
        took: endMs - at,
        blocked: runMs - at,
        protocol: protocols[next.wish.host] ?? "http/1",
        initiator: next.wish.saysInitiator ? { type: "script", url: next.initiator } : null,
      }),
    );
    const index = Number(next.url.split("/").at(-1));
    made[index] = { url: next.url, startMs: runMs, endMs };
    ask(index);
  }
  return visits.sort((left, right) => (left.atMs ?? 0) - (right.atMs ?? 0));
}

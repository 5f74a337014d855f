import type { Ledger, Place, ScopeVisit } from "@bearhug/plan/clients/client";
import type { Clock } from "@bearhug/plan/pacing/clock";
import { noteFault } from "@bearhug/plan/protocol/test-faults";
import { BearhugError, StopSignal } from "@bearhug/sdk";
import type { Mask } from "@bearhug/text/secret-mask";

import type { Vu } from "./vu.ts";

/** Thrown for a page inside a page. */
class NestedPage extends BearhugError {
  override readonly name = "NestedPage";
  readonly code = "NESTED_PAGE";

  constructor(page: string) {
    super(`page("${page}"): pages cannot be nested. Use group inside a page.`);
  }
}

/** The parts of an engine that pages use. */
interface PageOptions extends GroupOptions, Pick<Ledger, "exemplars"> {}

interface GroupOptions extends Pick<Ledger, "tracer"> {
  readonly clock: Clock;
  readonly mask: Mask;
}

/** Runs the body as a page: its samples carry the page's tag; its time and bytes are recorded when it ends. */
export async function visitPage<R>(
  { clock, exemplars, tracer, mask }: PageOptions,
  vu: Vu,
  name: string,
  body: () => R | PromiseLike<R>,
): Promise<R> {
  rejectWrongCall("page", name, body);
  const { scope: around, page, visit: outer, isWarmup, turn } = vu.place();
  if (page !== null) throw new NestedPage(name);
  const scope = around.page(name);
  const { tags } = scope.series;
  const startedAt = clock.now();
  const watched = isWarmup
    ? null
    : exemplars.pages.begin(tags["page"] ?? "", tags["scenario"] ?? "", startedAt);
  const visit = { outer, isCutOff: false, bytesReceived: 0, watched };
  const place = { scope, page: visit, visit, isWarmup, turn };
  let exemplaryMs: number | null = null;
  const leave = tracer?.enter("page", name, tags, mask);
  try {
    return await timed({ clock, vu, place, startedAt }, body, (durationMs) => {
      const { series } = scope;
      series.counter("pages").add(1);
      series.trend("page_duration").addMeasured(durationMs, visit.isCutOff);
      series.trend("page_bytes").addMeasured(visit.bytesReceived, visit.isCutOff);
      if (!visit.isCutOff) exemplaryMs = durationMs;
      leave?.(durationMs);
    });
  } finally {
    watched?.watch.end(watched, exemplaryMs);
  }
}

/** Runs the body as a group: its samples carry the group's tag, and its time is recorded when it ends. */
export async function visitGroup<R>(
  { clock, tracer, mask }: GroupOptions,
  vu: Vu,
  name: string,
  body: () => R | PromiseLike<R>,
): Promise<R> {
  rejectWrongCall("group", name, body);
  const { scope, page, visit: outer, isWarmup, turn } = vu.place();
  const visit = { outer, isCutOff: false };
  const place = { scope: scope.group(name), page, visit, isWarmup, turn };
  const leave = tracer?.enter("group", name, place.scope.tags, mask);
  return timed({ clock, vu, place, startedAt: clock.now() }, body, (durationMs) => {
    place.scope.series.trend("group_duration").addMeasured(durationMs, visit.isCutOff);
    leave?.(durationMs);
  });
}

/** @throws {TypeError} for a name that is not a string, or a body that is not a function, which JavaScript allows */
function rejectWrongCall(call: "page" | "group", name: unknown, body: unknown): void {
  const wrong =
    typeof name !== "string"
      ? "the name must be a string"
      : typeof body !== "function"
        ? 'the body must be a function, such as async () => { await http.get("/"); }'
        : null;
  if (wrong !== null) throw noteFault(new TypeError(`${call}(name, body): ${wrong}.`));
}

/** A visit that begins; `startedAt` is the clock's time. */
interface BegunVisit {
  readonly clock: Clock;
  readonly vu: Vu;
  readonly place: Place & { readonly visit: ScopeVisit };
  readonly startedAt: number;
}

/**
 * Records the time of a body, even if it throws. An interrupted body is not recorded, unless one of its
 * requests was unanswered: then its time is a lower bound.
 */
async function timed<R>(
  { clock, vu, place, startedAt }: BegunVisit,
  body: () => R | PromiseLike<R>,
  record: (durationMs: number) => void,
): Promise<R> {
  vu.onVisit();
  try {
    const result = await vu.runAt(place, body);
    record(clock.now() - startedAt);
    return result;
  } catch (error) {
    if (!StopSignal.isStopSignal(error) || place.visit.isCutOff) record(clock.now() - startedAt);
    throw error;
  } finally {
    vu.onVisitEnded();
  }
}

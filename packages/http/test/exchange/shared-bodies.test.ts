import { gzipSync } from "node:zlib";

import fc from "fast-check";
import { expect, test } from "vitest";

import { type BodyShare, KeptBody } from "../../src/exchange/kept-body.ts";
import { LastBodies } from "../../src/exchange/last-bodies.ts";
import { receive } from "../response/receive.ts";
import { shareOf, wideBudget } from "./keep.ts";

/** Bodies of a few blocks: many begin alike, are another's beginning, or differ in one byte. */
const aBody = fc
  .array(fc.constantFrom("a", "b", "grün", "c".repeat(100), "d".repeat(3000), "e".repeat(20_000)), {
    maxLength: 5,
  })
  .map((blocks) => Buffer.from(blocks.join("")));

interface Plan {
  readonly endpoint: number;
  readonly body: Buffer;
  /** Positions in thousandths of the length. */
  readonly cuts: readonly number[];
  /** The time of the first piece; `gaps` has the times between the pieces, and before the end. */
  readonly start: number;
  readonly gaps: readonly number[];
  readonly isCutShort: boolean;
  readonly isZipped: boolean;
  readonly reads: readonly ("text" | "write")[];
}

const plans: fc.Arbitrary<Plan[]> = fc
  .tuple(
    fc.array(aBody, { minLength: 1, maxLength: 4 }),
    fc.array(
      fc.record({
        endpoint: fc.nat(1),
        body: fc.nat(3),
        cuts: fc.array(fc.nat(1000), { maxLength: 4 }),
        start: fc.nat(100),
        gaps: fc.array(fc.nat(3), { minLength: 5, maxLength: 5 }),
        isCutShort: fc.nat(9).map((one) => one === 0),
        isZipped: fc.boolean(),
        reads: fc.array(fc.constantFrom("text", "write"), { maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 40 },
    ),
  )
  .map(([bodies, drawn]) =>
    drawn.map((one) => ({ ...one, body: bodies[one.body % bodies.length] ?? Buffer.alloc(0) })),
  );

function cut(body: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = cuts.map((one) => Math.floor((one / 1000) * body.length)).sort((a, b) => a - b);
  return [0, ...ends].map((start, index) => body.subarray(start, ends[index] ?? body.length));
}

/** A response that arrives in pieces, and is then read by a test that overwrites the bytes it gets. */
class Visit {
  readonly #plan: Plan;
  readonly #kept: KeptBody;
  readonly #wire: readonly Buffer[];
  readonly #expected: Buffer;
  #response = receive({});
  #isWrittenTo = false;

  constructor(plan: Plan, share: BodyShare, endpoint: object) {
    const { body, cuts, isCutShort } = plan;
    this.#plan = plan;
    this.#kept = new KeptBody(share, endpoint);
    const pieces = cut(plan.isZipped ? gzipSync(body) : body, cuts);
    this.#wire = isCutShort ? pieces.slice(0, -1) : pieces;
    this.#expected = isCutShort ? Buffer.concat(this.#wire) : body;
  }

  /** Returns what happens to the response, with the times. */
  events(): { readonly moment: number; readonly happen: () => void }[] {
    const steps = [
      ...this.#wire.map((piece) => () => {
        this.#add(piece);
      }),
      () => {
        this.#end();
      },
    ];
    let moment = this.#plan.start;
    return steps.map((happen, index) => ({ happen, moment: (moment += this.#plan.gaps[index] ?? 0) }));
  }

  /** Expects that the test still has what came, or what it wrote itself. */
  expectUntouched(): void {
    const bytes = Buffer.from(this.#response.bytes());
    const wanted = this.#isWrittenTo ? Buffer.alloc(this.#expected.length, "z") : this.#expected;
    expect(bytes.equals(wanted)).toBe(true);
    expect(this.#response.size.decoded).toBe(wanted.length);
  }

  #add(piece: Buffer): void {
    const lent = Buffer.from(piece);
    this.#kept.add(lent);
    lent.fill("!");
  }

  #end(): void {
    const { isCutShort, isZipped, reads } = this.#plan;
    if (!isCutShort) this.#kept.end();
    const rawHeaders = isZipped && !isCutShort ? ["content-encoding", "gzip"] : [];
    this.#response = receive({ body: this.#kept.received(), rawHeaders });
    for (const read of reads) {
      if (read === "write") this.#write();
      else if (!this.#isWrittenTo) expect(this.#response.text()).toBe(this.#expected.toString());
    }
  }

  /** Overwrites all of the memory that the test can reach. */
  #write(): void {
    Buffer.from(this.#response.bytes().buffer).fill("z");
    this.#isWrittenTo = true;
  }
}

test("no response ever shows another's bytes, whatever tests write to theirs", () => {
  fc.assert(
    fc.property(plans, fc.constantFrom(1_000, 50_000, 10_000_000), (visits, limitBytes) => {
      const budget = wideBudget();
      const last = new LastBodies(budget, limitBytes);
      const share = shareOf(budget, last);
      const endpoints = [{}, {}];
      const all = visits.map((plan) => new Visit(plan, share, endpoints[plan.endpoint] ?? {}));
      const events = all.flatMap((visit) => visit.events()).sort((a, b) => a.moment - b.moment);
      for (const { happen } of events) happen();
      for (const visit of all) visit.expectUntouched();
      expect(last.bytes).toBeLessThanOrEqual(limitBytes);
    }),
  );
});

import { ErrorLog } from "@bearhug/metrics/error-log";
import { SharedAccounting } from "@bearhug/plan/protocol/shared-accounting";
import { asMasked, ownWords } from "@bearhug/text/masked-text";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { accountIterations, accountRequests, accountStages } from "../../src/outcome/account.ts";

const outcome = fc.constantFrom("completed", "failed", "interrupted", "lost", "dropped");
const answered = fc.record({
  name: fc.constantFrom("GET /a", "GET /b", "POST /c"),
  how: fc.constantFrom("succeeded", "failed", "interrupted", "lost"),
});

describe("the accounts of all workers", () => {
  test("balance for iterations; one that was started and never reported is lost", () => {
    fc.assert(
      fc.property(fc.array(fc.array(outcome), { maxLength: 4 }), (workers) => {
        const accountings = workers.map((outcomes) => {
          const accounting = new SharedAccounting();
          for (const how of outcomes) {
            if (how === "dropped") accounting.add("iterationsDropped");
            else accounting.add("iterationsStarted");
            if (how === "completed") accounting.add("iterationsCompleted");
            if (how === "failed") accounting.add("iterationsFailed");
            if (how === "interrupted") accounting.add("iterationsInterrupted");
          }
          return accounting;
        });
        const count = (how: string): number => workers.flat().filter((one) => one === how).length;
        const account = accountIterations(accountings);
        expect(account).toEqual({
          scheduled: workers.flat().length,
          started: workers.flat().length - count("dropped"),
          completed: count("completed"),
          failed: count("failed"),
          interrupted: count("interrupted"),
          dropped: count("dropped"),
          lost: count("lost"),
        });
      }),
    );
  });

  test("balance for each request name, whichever workers used it, most requests first", () => {
    fc.assert(
      fc.property(fc.array(fc.array(answered), { maxLength: 4 }), (workers) => {
        const accountings = workers.map((requests) => {
          const accounting = new SharedAccounting();
          for (const { name, how } of requests) {
            const row = accounting.row(asMasked(name));
            row.started();
            if (how !== "interrupted") row.sent();
            if (how !== "lost") row[how]();
          }
          return accounting;
        });
        const account = accountRequests(accountings);
        expect(account.map(({ name }) => name).sort()).toEqual(
          [...new Set(workers.flat().map(({ name }) => name))].sort(),
        );
        for (const [index, row] of account.entries()) {
          const own = workers.flat().filter(({ name }) => name === row.name);
          const count = (wanted: string): number => own.filter(({ how }) => how === wanted).length;
          expect(row).toEqual({
            name: row.name,
            started: own.length,
            sent: own.length - count("interrupted"),
            succeeded: count("succeeded"),
            failed: count("failed"),
            interrupted: count("interrupted"),
            lost: count("lost"),
          });
          if (index > 0) expect(row.started).toBeLessThanOrEqual(account[index - 1]!.started);
        }
      }),
    );
  });

  test("of setup, teardown and vuState are separate", () => {
    const accounting = new SharedAccounting();
    accounting.row(ownWords`GET /users.json`).started();
    accounting.row(ownWords`GET /users.json`).succeeded();
    const none = new ErrorLog();
    const stages = {
      setupAccounting: accounting,
      setupOddities: none,
      teardownAccounting: new SharedAccounting(),
      teardownOddities: none,
    };
    const rows = [{ name: "GET /users.json", lost: 0 }];
    expect(accountStages(stages, null)).toMatchObject({
      setup: { requests: rows },
      teardown: { requests: [] },
    });
    const load = { vuStateAccountings: [], vuStateOddities: none };
    expect(accountStages(stages, load)).not.toHaveProperty("vuState");
    expect(accountStages(stages, { ...load, vuStateAccountings: [accounting] })).toMatchObject({
      vuState: { requests: rows },
    });
  });
});

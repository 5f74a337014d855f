import { describe, expect, test } from "vitest";

import { hasChromium } from "../chromium.ts";
import type { Reported } from "../end-to-end/run-bearhug.ts";
import { type Application, build, missingTools, type Place, start } from "./application.ts";
import {
  firstLines,
  type ImportedTest,
  keepingCookies,
  recordVisit,
  redIn,
  run,
  succeeded,
} from "./imported-test.ts";
import { type Meddling, startMeddlingProxy } from "./meddling-proxy.ts";

/** A fault in a visit, and what the first lines of the report must say about it. */
export interface VisitFault {
  readonly variables?: Readonly<Record<string, string>>;
  /** Returns the function that changes requests to an application at this address. */
  readonly meddle?: (url: string) => Meddling;
  readonly says: RegExp;
}

export interface Visit {
  readonly name: string;
  readonly flow?: string;
  readonly path?: string;
  readonly isSecure?: boolean;
  /** The name of the requests that create a note. */
  readonly creating: RegExp;
  readonly faults?: Readonly<Record<string, VisitFault>>;
}

const runs = 10;
const iterationsOfRun = 20;
/** Downloads and builds take minutes, and so does everything else while other tests run. */
const timeout = 1_200_000;

/** Defines tests that record a visit to an application, and expect the import to work as the browser did. */
export function describeVisit(application: Application, visit: Visit): void {
  const missing = [...missingTools(application), ...(hasChromium ? [] : ["chromium"])];
  const lacks = missing.length === 0 ? "" : ` (needs ${missing.join(", ")})`;

  describe.skipIf(missing.length > 0)(`${application.name}: ${visit.name}${lacks}`, () => {
    test("is built", { timeout }, () => {
      expect(build(application)).toContain(application.name);
    });

    test(
      "has nothing red in 200 iterations by three users, and a row for each accepted request",
      { timeout },
      async () => {
        const { place, imported } = await recorded(application, visit);
        for (let count = 0; count < runs; count++) {
          const before = application.countNotes(place);
          const file = count % 2 === 0 ? imported.file : keepingCookies(imported);
          const reported = await run(imported, { file, users: 3, iterations: iterationsOfRun });
          expect(redIn(reported)).toEqual([]);
          expect(succeeded(reported, visit.creating)).toBe(iterationsOfRun);
          expect(application.countNotes(place) - before).toBe(iterationsOfRun);
        }
      },
    );

    test("is red for every fault, and its first lines name the step", { timeout }, async () => {
      const { place, imported } = await recorded(application, visit);
      const unchanged = await runThrough(place, imported, {});
      expect(unchanged.errors).toEqual([]);
      expect(redIn(unchanged.reported)).toEqual([]);
      for (const [name, fault] of Object.entries(visit.faults ?? {})) {
        const { reported, errors } = await runThrough(place, imported, fault);
        expect.soft(errors, name).toEqual([]);
        expect.soft(reported.exitCode, name).toBe(99);
        expect.soft(firstLines(reported), name).toMatch(fault.says);
      }
    });
  });
}

/** Runs one iteration through a proxy that causes the fault. */
async function runThrough(
  place: Place,
  imported: ImportedTest,
  { variables = {}, meddle = () => (request) => request }: Omit<VisitFault, "says">,
): Promise<{ readonly reported: Reported; readonly errors: readonly unknown[] }> {
  const { url, errors } = await startMeddlingProxy(place.url, meddle(place.url));
  return { reported: await run(imported, { variables, target: url }), errors };
}

async function recorded(
  application: Application,
  visit: Visit,
): Promise<{ readonly place: Place; readonly imported: ImportedTest }> {
  const place = await start(application, visit.isSecure);
  return { place, imported: await recordVisit(application, place, visit) };
}

import { describe, expect, test } from "vitest";

import { hasChromium } from "../chromium.ts";
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

/** Something that goes wrong in a visit, and what the first lines of the report must say of it. */
export interface Wrong {
  readonly variables?: Readonly<Record<string, string>>;
  /** Makes what meddles with the requests to an application at that address. */
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
  readonly wrongs?: Readonly<Record<string, Wrong>>;
}

const runs = 10;
const iterationsOfRun = 20;

/** Records a visit to an application, and holds that the import works where the browser did. */
export function describeVisit(application: Application, visit: Visit): void {
  const missing = [...missingTools(application), ...(hasChromium ? [] : ["chromium"])];
  const lacks = missing.length === 0 ? "" : ` (needs ${missing.join(", ")})`;

  describe.skipIf(missing.length > 0)(`${application.name}: ${visit.name}${lacks}`, () => {
    test("is built", { timeout: 1_200_000 }, () => {
      expect(build(application)).toContain(application.name);
    });

    test("has no red in 200 iterations by three users, and as many rows as accepted requests", async () => {
      const { place, imported } = await recorded(application, visit);
      for (let count = 0; count < runs; count++) {
        const before = application.countNotes(place);
        const file = count % 2 === 0 ? imported.file : keepingCookies(imported);
        const reported = await run(imported, { file, users: 3, iterations: iterationsOfRun });
        expect(redIn(reported)).toEqual([]);
        expect(succeeded(reported, visit.creating)).toBe(iterationsOfRun);
        expect(application.countNotes(place) - before).toBe(iterationsOfRun);
      }
    });

    const wrongs = Object.entries(visit.wrongs ?? {});
    test.each(wrongs)("is red with %s, and its first lines say which step", async (_name, wrong) => {
      const { place, imported } = await recorded(application, visit);
      const target =
        wrong.meddle === undefined ? undefined : await startMeddlingProxy(place.url, wrong.meddle(place.url));
      const reported = await run(imported, {
        variables: wrong.variables ?? {},
        ...(target === undefined ? {} : { target }),
      });
      expect(reported.exitCode).toBe(99);
      expect(firstLines(reported)).toMatch(wrong.says);
    });
  });
}

async function recorded(
  application: Application,
  visit: Visit,
): Promise<{ readonly place: Place; readonly imported: ImportedTest }> {
  const place = await start(application, visit.isSecure);
  return { place, imported: await recordVisit(application, place, visit) };
}

import type { CaptureModel, ImportedCapture, Omission } from "./capture-model.ts";
import { CaptureError, type CaptureSource, type Finding } from "./capture.ts";
import { correlate } from "./correlate/correlate.ts";
import { parameterize } from "./parameterize/parameterize.ts";
import { makeNamesUnique, noteNames, noteCreatedIds } from "./parameterize/created-objects.ts";
import { plural } from "./printable.ts";
import { secretsOfEntries } from "./protect/collect-secrets.ts";
import { passwordInputsOf } from "./secrets/password-inputs.ts";
import { protect } from "./protect/protect.ts";
import type { BodyOf } from "./read/attached-bodies.ts";
import { visitResponses, readCapture } from "./read/read-capture.ts";
import { draftModel } from "./request/draft-model.ts";
import { selectEntries, inRecordedOrder } from "./select/select-entries.ts";
import type { SelectOptions } from "./select/why-omitted.ts";
import { collapseRedirects } from "./structure/collapse-redirects.ts";
import { connectionsNeeded } from "./structure/connections.ts";
import { planSteps } from "./structure/plan-steps.ts";

/** The part of a capture to import, and how. */
export interface ImportOptions {
  /** @default the first party, without analytics and advertising */
  readonly select?: SelectOptions;
  /** True to turn values that vary between requests of one shape into a table of data. @default false */
  readonly parameterize?: boolean;
  /**
   * True to give created objects a different name in each iteration. @default false: a comment lists the
   * values that may have to differ
   */
  readonly unique?: boolean;
  /** Reads bodies that the capture keeps in separate files. @default such bodies count as not recorded */
  readonly bodyOf?: BodyOf;
}

/**
 * Imports a capture: the first party's requests in waves, as the browser sent them, with values extracted
 * from responses and secrets as variables. Everything left out is listed with its reason. Reads the capture
 * two or three times and never holds all of it.
 *
 * @throws CaptureError when nothing in the capture can be replayed.
 */
export async function importCapture(
  open: CaptureSource,
  options: ImportOptions = {},
): Promise<ImportedCapture> {
  const attached = options.bodyOf === undefined ? {} : { bodyOf: options.bodyOf };
  const { draft, capturedSecrets } = await draftCapture(open, options, attached);
  const passwordInputs = new Set<string>();
  const correlated = await correlate(draft, async (visit) => {
    await visitResponses(
      open(),
      (entry) => {
        for (const name of passwordInputsOf(entry)) passwordInputs.add(name);
        visit(entry);
      },
      attached,
    );
  });
  const imported = protect(correlated, capturedSecrets, passwordInputs);
  const noted = noteCreatedIds(imported.model);
  const named = options.unique === true ? makeNamesUnique(noted) : noteNames(noted);
  return { ...imported, model: options.parameterize === true ? parameterize(named) : named };
}

/**
 * Runs the first pass. Its entries are released before responses are read, because they take most of the
 * memory.
 */
async function draftCapture(
  open: CaptureSource,
  options: ImportOptions,
  attached: Pick<ImportOptions, "bodyOf">,
): Promise<{ readonly draft: CaptureModel; readonly capturedSecrets: readonly string[] }> {
  const capture = await readCapture(open(), { bodies: false, ...attached });
  const selection = selectEntries(inRecordedOrder(capture.entries), options.select ?? {});
  const { kept, omissions, notes, origin } = selection;
  if (origin === null || kept.length === 0)
    throw new CaptureError(explainEmptyImport(omissions, capture.findings));
  const { findings } = capture;
  const replayed = new Set(kept.map(({ entry }) => entry));
  const others = capture.entries.filter((entry) => !replayed.has(entry));
  const steps = planSteps(capture.pages, collapseRedirects(kept), others);
  const connections = connectionsNeeded(steps);
  const titles = capture.pages.map(({ title }) => title);
  return {
    draft: draftModel({ origin, connections, omissions, findings, notes }, kept, steps),
    capturedSecrets: secretsOfEntries(capture.entries, titles),
  };
}

/** Explains why a capture has nothing to replay: why each request was skipped, or what could not be read. */
function explainEmptyImport(omissions: readonly Omission[], findings: readonly Finding[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of omissions) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const skipped = Array.from(counts, ([reason, count]) => `${plural(count, "request")} (${reason})`);
  if (skipped.length > 0) return `The capture has nothing to replay. Skipped: ${skipped.join(", ")}.`;
  const [first] = findings;
  const what = first === undefined ? "" : ` ${first.path}: ${first.problem}.`;
  return `The capture has nothing to replay: no entry could be read.${what}`;
}

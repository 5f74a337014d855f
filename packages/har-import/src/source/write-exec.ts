import type { CapturedCookie, CapturedStep, CaptureModel } from "../capture-model.ts";
import type { FileParts } from "./file-parts.ts";
import { quoteText } from "./quote-text.ts";
import { extractedBy, requestsOf } from "./request-values.ts";
import { visitMark } from "./unformatted-source.ts";
import { freshText, valueExpression } from "./value-expression.ts";
import { contextMembers, type Vocabulary } from "./vocabulary.ts";
import { writeStep } from "./write-step.ts";
import { writeDuration } from "./write-time.ts";

/** Shorter pauses are no thinking. */
const shortestThoughtMs = 100;

/** The function that is an iteration, with a mark where the visit belongs; and the visit, as it was recorded. */
export function writeExec(
  { cookies, steps, variables }: CaptureModel,
  parts: FileParts,
): { readonly exec: string; readonly pieces: readonly string[] } {
  const { vocabulary } = parts;
  const needed = steps.map((step) => extractedBy(requestsOf(step)));
  const later: ReadonlySet<string>[] = [];
  let afterwards: ReadonlySet<string> = new Set<string>();
  for (const used of needed.toReversed()) {
    later.push(afterwards);
    if (used.size > 0) afterwards = new Set([...afterwards, ...used]);
  }
  later.reverse();
  const optional = new Set(variables.filter(({ isOptional }) => isOptional).map(({ name }) => name));
  const opening = [
    ...cookies.map((cookie) => writeCookie(cookie, optional, vocabulary)),
    ...Array.from(vocabulary.fresh.values(), ({ identifier, part }) => {
      return `const ${identifier} = ${freshText(part.what, vocabulary)};`;
    }),
  ];
  const visit = steps.map((step, index) => {
    const code = writeStep(step, later[index] ?? new Set(), parts);
    return index === steps.length - 1 ? code : code + writeThought(step, vocabulary);
  });
  const members = contextMembers.filter((member) => vocabulary.needs.has(member));
  return {
    exec: `async ({ ${members.join(", ")} }) => {\n${visitMark}\n}`,
    pieces: opening.length === 0 ? visit : [opening.join("\n"), ...visit],
  };
}

function writeThought({ thinkAfterMs }: CapturedStep, { needs }: Vocabulary): string {
  if (thinkAfterMs < shortestThoughtMs) return "";
  needs.add("think");
  return `\n\nawait think(${quoteText(writeDuration(thinkAfterMs))});`;
}

/** A cookie that the browser brought along. It is not sent where a variable that it needs is not set. */
function writeCookie(
  { name, origin, value }: CapturedCookie,
  optional: ReadonlySet<string>,
  vocabulary: Vocabulary,
): string {
  vocabulary.needs.add("http");
  const options = [
    ...(origin === vocabulary.origin ? [] : [`url: ${quoteText(origin)}`]),
    // Browsers keep cookies of such names from nobody else.
    ...(/^__(Host|Secure)-/i.test(name) ? ["secure: true"] : []),
  ];
  const given = options.length === 0 ? "" : `, { ${options.join(", ")} }`;
  const set = `http.cookies.set(${quoteText(name)}, ${valueExpression(value, vocabulary)}${given});`;
  const needed = value.flatMap((part) => (part.kind === "variable" && optional.has(part.name) ? [part] : []));
  if (needed.length === 0) return set;
  return `if (${needed.map((part) => valueExpression([part], vocabulary)).join(" && ")}) ${set}`;
}

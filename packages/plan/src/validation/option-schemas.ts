import type { Tags } from "@bearhug/sdk";
import { z } from "@bearhug/sdk/internal";
import { suggestName } from "@bearhug/text/closest-name";
import { describeIssue, predicatesOf } from "@bearhug/text/describe-issue";

import { tagNameProblem } from "./name-rules.ts";

/**
 * Returns the schema of an object of options. It rejects unknown options, and suggests the closest one or
 * lists all. `owner` has the options: "a test". `elsewhere`: advice for options that belong to another place.
 * `known`: the names of all options, if the shape has only some.
 */
export function optionsObject<Shape extends z.ZodRawShape>(
  owner: string,
  shape: Shape,
  elsewhere: ReadonlyMap<string, string> = new Map(),
  known: readonly string[] = Object.keys(shape),
): z.ZodObject<Shape, z.core.$strict> {
  const advice = (key: string): string | undefined => {
    const text = elsewhere.get(key);
    return text === undefined ? undefined : `: ${text}`;
  };
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys
            .map(
              (key) =>
                `is not an option of ${owner}${advice(key) ?? suggestName(key, known, `it takes ${known.join(", ")}`)}`,
            )
            .join("\n")
        : describeIssue(issue),
  });
}

/** Validates a value by the schema that fits its shape, so that the messages are those of that schema. */
export function chosenSchema<T>(choose: (value: unknown) => z.ZodType<T>): z.ZodType<T> {
  return z.unknown().transform((value, context): T => {
    // Compiling a schema takes longer than reading options once without it.
    const parsed = choose(value).safeParse(value, { error: describeIssue, jitless: true });
    if (parsed.success) return parsed.data;
    for (const { path, predicate } of parsed.error.issues.flatMap(predicatesOf)) {
      context.addIssue({ code: "custom", path: [...path], message: predicate });
    }
    return z.NEVER;
  });
}

/** Reads one value or a non-empty array of such values as an array. */
export function oneOrMore<T>(one: z.ZodType<T>): z.ZodType<readonly T[]> {
  const more = z.array(one).min(1);
  const alone = one.transform((value): readonly T[] => [value]);
  return chosenSchema<readonly T[]>((value) => (Array.isArray(value) ? more : alone));
}

/** Returns the schema of a string for which `findProblem` returns undefined. */
export function checkedText(findProblem: (text: string) => string | undefined): z.ZodType<string> {
  return z.string().superRefine((text, context) => {
    const problem = findProblem(text);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  });
}

/** Returns the schema of a test's or scenario's tags. */
export function tagsSchema(): z.ZodType<Tags> {
  return z.record(checkedText(tagNameProblem), z.string());
}

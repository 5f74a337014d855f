import * as z from "zod";

import type { Tags } from "../metrics/metric.ts";
import { suggestName } from "../text/closest-name.ts";
import { describeIssue, predicatesOf } from "./describe-issue.ts";
import { tagNameProblem } from "./name-rules.ts";

/**
 * An object of options that refuses unknown ones, each with the option that was meant or all there are.
 * `owner` is whose options they are: "a test". `elsewhere`: where options belong that stand in another place. `known`: the
 * names of all options, where the shape has only some.
 */
export function optionsObject<Shape extends z.ZodRawShape>(
  owner: string,
  shape: Shape,
  elsewhere: ReadonlyMap<string, string> = new Map(),
  known: readonly string[] = Object.keys(shape),
): z.ZodObject<Shape, z.core.$strict> {
  const place = (key: string): string | undefined => {
    const text = elsewhere.get(key);
    return text === undefined ? undefined : `: ${text}`;
  };
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys
            .map(
              (key) =>
                `is not an option of ${owner}${place(key) ?? suggestName(key, known, `it takes ${known.join(", ")}`)}`,
            )
            .join("\n")
        : describeIssue(issue),
  });
}

/** Validates a value by the schema that fits its shape, so that its problems are in that schema's words. */
export function chosenSchema<T>(choose: (value: unknown) => z.ZodType<T>): z.ZodType<T> {
  return z.unknown().transform((value, context): T => {
    // To compile a schema takes longer than to read options once.
    const parsed = choose(value).safeParse(value, { error: describeIssue, jitless: true });
    if (parsed.success) return parsed.data;
    for (const { path, predicate } of parsed.error.issues.flatMap(predicatesOf)) {
      context.addIssue({ code: "custom", path: [...path], message: predicate });
    }
    return z.NEVER;
  });
}

/** One of something, or a list of them. */
export function oneOrMore<T>(one: z.ZodType<T>): z.ZodType<readonly T[]> {
  const more = z.array(one).min(1);
  const alone = one.transform((value): readonly T[] => [value]);
  return chosenSchema<readonly T[]>((value) => (Array.isArray(value) ? more : alone));
}

/** A text that a rule finds nothing wrong with. */
export function ruledText(findProblem: (text: string) => string | undefined): z.ZodType<string> {
  return z.string().superRefine((text, context) => {
    const problem = findProblem(text);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  });
}

/** Tags of a test or a scenario. */
export function tagsSchema(): z.ZodType<Tags> {
  return z.record(ruledText(tagNameProblem), z.string());
}

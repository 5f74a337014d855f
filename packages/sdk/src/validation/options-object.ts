import { z } from "zod";
import { describeIssue } from "./describe-issue.ts";
import { suggestName } from "../text/closest-name.ts";

/**
 * An object of options that refuses unknown ones, each with the option that was meant or all there are.
 * `owner` is whose options they are: "a test".
 */
export function optionsObject<Shape extends z.ZodRawShape>(
  owner: string,
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys
            .map(
              (key) =>
                `is not an option of ${owner}${suggestName(key, known, `it takes ${known.join(", ")}`)}`,
            )
            .join("\n")
        : describeIssue(issue),
  });
}

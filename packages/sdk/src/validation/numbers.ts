import * as z from "zod";

import { once } from "./once.ts";

/** The schema of a whole number that is not negative. */
export const count: () => z.ZodType<number> = once(() => z.int().nonnegative());

/** The schema of a number that is not negative. */
export const amount: () => z.ZodNumber = once(() => z.number().nonnegative());

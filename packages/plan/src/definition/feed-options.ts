import type { Feed } from "@bearhug/sdk";
import { z, once, feedEnds, feedOrders, feedRecipients } from "@bearhug/sdk/internal";
import { showValue } from "@bearhug/text/describe-issue";
import { optionsObject } from "../validation/option-schemas.ts";

/** A feed that a test declares, apart from its rows. */
export interface ValidatedFeed {
  readonly name: string;
  readonly format: Feed["format"];
  readonly order: (typeof feedOrders)[number];
  readonly per: (typeof feedRecipients)[number];
  readonly atEnd: (typeof feedEnds)[number];
  readonly isUnique: boolean;
  /** The scenarios that use it; null if the test does not name them: all may use it. */
  readonly scenarios: readonly string[] | null;
  /** How many rows it has; null until they are read. */
  readonly rows: number | null;
}

const schemaSchema = once(() =>
  z.custom((value) => hasValidate(value), {
    error: ({ input }) =>
      `must be a schema of zod, valibot or another Standard Schema library, but is ${showValue(input)}`,
  }),
);

function hasValidate(value: unknown): boolean {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const standard: unknown = Reflect.get(value, "~standard");
  return typeof standard === "object" && standard !== null && "validate" in standard;
}

const everyShape = once(() => ({
  order: z.enum(feedOrders).default("sequential"),
  per: z.enum(feedRecipients).default("iteration"),
  atEnd: z.enum(feedEnds).optional(),
  unique: z.boolean().default(false),
  scenarios: z.array(z.string()).min(1).optional(),
  schema: schemaSchema().optional(),
}));

const csvShape = once(() => ({
  ...everyShape(),
  columns: z.array(z.string().min(1)).min(1).optional(),
  header: z.boolean().default(true),
  delimiter: z.string().length(1, { error: "must be one character" }).default(","),
}));

type FeedFormat = ValidatedFeed["format"];
type ReadOptions = Omit<ValidatedFeed, "name" | "format" | "rows"> & { readonly rows: null };

const everyOptions = once(() => optionsObject("a feed", everyShape()));
const csvOptions = once(() => optionsObject("csv", csvShape()));

/** Returns the schema of a feed's options, which also rejects contradictions between them. */
export function feedOptionsSchema(format: FeedFormat): z.ZodType<ReadOptions> {
  const schema = format === "csv" ? csvOptions() : everyOptions();
  return schema.superRefine(refuseContradictions).transform((options) => ({
    order: options.order,
    per: options.per,
    atEnd: options.atEnd ?? "wrap",
    isUnique: options.unique,
    scenarios: options.scenarios ?? null,
    rows: null,
  }));
}

type GivenOptions = z.output<ReturnType<typeof everyOptions>> & {
  readonly columns?: unknown;
  readonly header?: boolean;
};

function refuseContradictions(options: GivenOptions, context: z.core.$RefinementCtx): void {
  const { order, per, atEnd, unique, columns, header } = options;
  const refuse = (path: string, message: string): void =>
    context.addIssue({ code: "custom", path: [path], message });
  if (header === false && columns === undefined)
    refuse("columns", "must list the columns if the file has no header line");
  if (order === "random" && unique)
    refuse("order", 'can\'t be "random" with unique, because a random row may repeat. Use "shuffled"');
  if (order === "random" && atEnd === "stop")
    refuse("atEnd", 'can\'t be "stop" with order "random", which never ends. Use "shuffled"');
  if (atEnd === "wrap" && unique)
    refuse("atEnd", 'can\'t be "wrap" with unique. Leave it out, or use "stop" to end the scenario instead');
  if (atEnd === "stop" && per === "vu")
    refuse("atEnd", 'can\'t be "stop" with per: "vu", where each virtual user keeps its row. Leave it out');
}

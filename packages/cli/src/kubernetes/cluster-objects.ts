import { z } from "@bearhug/sdk/internal";

/** The parts of Kubernetes objects that bearhug reads. */

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

export interface ClusterJob {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly creationTimestamp: string;
  };
  readonly spec: {
    readonly completions: number;
    /** The arguments of the container of the Job's pods. */
    readonly args: readonly string[];
  };
  readonly status: { readonly conditions: readonly Condition[] };
}

export interface ClusterPod {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string | undefined;
  };
  readonly status: {
    readonly phase: string;
    readonly reason?: string | undefined;
    readonly message?: string | undefined;
    readonly conditions: readonly Condition[];
    readonly containerStatuses: readonly { readonly state: ContainerState }[];
  };
}

export interface ContainerState {
  readonly waiting?:
    | { readonly reason?: string | undefined; readonly message?: string | undefined }
    | undefined;
  readonly terminated?:
    | {
        readonly exitCode: number;
        readonly reason?: string | undefined;
        readonly message?: string | undefined;
      }
    | undefined;
}

export interface ClusterEvent {
  readonly involvedObject: { readonly kind: string; readonly name: string };
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

const text = z.string().optional();
const conditions = z.array(z.object({ type: z.string(), status: z.string(), reason: text, message: text }));
const labels = z.record(z.string(), z.string());

const templateSchema = z
  .object({
    spec: z
      .object({ containers: z.array(z.object({ args: z.array(z.string()).default([]) })).default([]) })
      .prefault({}),
  })
  .prefault({});

const jobSchema: z.ZodType<ClusterJob> = z.object({
  metadata: z.object({
    name: z.string(),
    uid: z.string(),
    creationTimestamp: z.string(),
    labels: labels.default({}),
  }),
  spec: z
    .object({ completions: z.number().default(1), template: templateSchema })
    .transform(({ completions, template }) => ({
      completions,
      args: template.spec.containers[0]?.args ?? [],
    })),
  status: z.object({ conditions: conditions.default([]) }).prefault({}),
});

const stateSchema: z.ZodType<ContainerState> = z.object({
  waiting: z.object({ reason: text, message: text }).optional(),
  terminated: z.object({ exitCode: z.number(), reason: text, message: text }).optional(),
});

const podSchema: z.ZodType<ClusterPod> = z.object({
  metadata: z.object({
    name: z.string(),
    creationTimestamp: z.string(),
    deletionTimestamp: text,
    labels: labels.default({}),
  }),
  status: z.object({
    phase: z.string(),
    reason: text,
    message: text,
    conditions: conditions.default([]),
    containerStatuses: z.array(z.object({ state: stateSchema })).default([]),
  }),
});

const eventSchema: z.ZodType<ClusterEvent> = z.object({
  involvedObject: z.object({ kind: z.string().default(""), name: z.string().default("") }),
  reason: text,
  message: text,
});

const listSchema = z.object({ items: z.array(z.looseObject({ kind: z.string() })) });

/** Returns the Jobs in a list from kubectl. */
export function readJobs(list: unknown): ClusterJob[] {
  return itemsOf(list, "Job").map((item) => jobSchema.parse(item));
}

export function readPods(list: unknown): ClusterPod[] {
  return itemsOf(list, "Pod").map((item) => podSchema.parse(item));
}

export function readEvents(list: unknown): ClusterEvent[] {
  return itemsOf(list, "Event").map((item) => eventSchema.parse(item));
}

/** Parses one Job from kubectl. */
export function readJob(value: unknown): ClusterJob {
  return jobSchema.parse(value);
}

function itemsOf(list: unknown, kind: string): unknown[] {
  return listSchema.parse(list).items.filter((item) => item.kind === kind);
}

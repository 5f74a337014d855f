import { InvalidInput } from "@bearhug/sdk";
import { z } from "@bearhug/sdk/internal";
import { tryJson } from "@bearhug/text/try-json";

/**
 * Messages between a coordinator and its agents. Texts are JSON; binary frames are records of an agent, or
 * bytes of the file that the coordinator announced last. Orders and states are always sent in full, so a
 * repeated message does no harm.
 */

const count = z.int().nonnegative();

/** The state of an agent, which it sends when it joins and whenever it changes. */
export interface AgentState {
  /** True if the agent is ready for the start, or has started. */
  readonly isReady: boolean;
  /** True if the agent starts no more requests, except in teardown. */
  readonly isLoadOver: boolean;
}

export interface JoinMessage extends AgentState {
  readonly type: "join";
  /** Chosen by the agent; stays the same after a reconnection. */
  readonly agentId: string;
  readonly name: string;
  /** The shard that the agent requests, whatever others have; null for the first free one. */
  readonly wantedShard: number | null;
  /**
   * The agent's part in a run, which identifies it to a coordinator that lost its files; null if it has not
   * joined any.
   */
  readonly claim: {
    readonly runId: string;
    readonly shard: number;
    readonly startAtMs: number | null;
  } | null;
}

/** The data that setup returned on the first shard, as JSON. */
export interface SetupDataMessage {
  readonly type: "setup-data";
  readonly text: string;
}

export type FromAgent =
  | JoinMessage
  | ({ readonly type: "state" } & AgentState)
  | SetupDataMessage
  /**
   * A request for the coordinator's time, which is also a sign of life. The round trip is the shortest so
   * far.
   */
  | { readonly type: "clock"; readonly sentAtMs: number; readonly roundTripMs: number | null }
  /** Requests a file of the job. */
  | { readonly type: "want"; readonly sha256: string }
  /** The reason why this agent cannot run the test, in one sentence. */
  | { readonly type: "problem"; readonly text: string }
  /** A signal ended this agent before it had the test. */
  | { readonly type: "leave"; readonly signal: string };

const agentState = { isReady: z.boolean(), isLoadOver: z.boolean() };
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const setupData = z.object({ type: z.literal("setup-data"), text: z.string() });

const fromAgent: z.ZodType<FromAgent> = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("join"),
    agentId: z.uuid(),
    name: z.string().max(200),
    wantedShard: count.nullable(),
    claim: z.object({ runId: z.string(), shard: count, startAtMs: z.number().nullable() }).nullable(),
    ...agentState,
  }),
  z.object({ type: z.literal("state"), ...agentState }),
  setupData,
  z.object({ type: z.literal("clock"), sentAtMs: z.number(), roundTripMs: z.number().nullable() }),
  z.object({ type: z.literal("want"), sha256 }),
  z.object({ type: z.literal("problem"), text: z.string().max(10_000) }),
  z.object({ type: z.literal("leave"), signal: z.string().max(100) }),
]);

/** The orders of a coordinator, which it sends to an agent that joins and whenever they change. */
export interface Orders {
  /** By the coordinator's clock, in milliseconds since 1970; null while agents are missing. */
  readonly startAtMs: number | null;
  /** Null while the run continues. */
  readonly stop: StopRequest | null;
  /** True once no agent applies load, so that teardown may begin. */
  readonly areLoadsOver: boolean;
}

const interruptions = ["graceful", "urgent"] as const;

/** The early end of a run. */
export interface StopRequest {
  /** The origin of the request, such as "the coordinator, which received SIGINT", or the failed threshold. */
  readonly reason: string;
  /** Null: a threshold of the merged samples failed, which ends the load but is not an interruption. */
  readonly interruption: (typeof interruptions)[number] | null;
}

export interface WelcomeMessage {
  readonly type: "welcome";
  readonly runId: string;
  readonly shard: { readonly index: number; readonly count: number };
  /** The number of this agent's records that the coordinator has. */
  readonly applied: number;
  /** A job description, parsed by cluster/job. */
  readonly job: string;
  readonly orphanTimeoutMs: number;
  readonly orders: Orders;
}

export type FromCoordinator =
  | WelcomeMessage
  /** The reason why this agent cannot take part, in one sentence. */
  | { readonly type: "refused"; readonly reason: string }
  /** The reply to a request for the time. */
  | { readonly type: "clock"; readonly sentAtMs: number; readonly atMs: number }
  /** Announces a file: the binary frames that follow are its content, until all its bytes have arrived. */
  | { readonly type: "file"; readonly sha256: string; readonly bytes: number }
  | ({ readonly type: "orders" } & Orders)
  | SetupDataMessage
  /** The number of this agent's records that the coordinator has. */
  | { readonly type: "applied"; readonly records: number };

export const stopOrderSchema: z.ZodType<StopRequest> = z.object({
  reason: z.string(),
  interruption: z.enum(interruptions).nullable(),
});

const orders = {
  startAtMs: z.number().nullable(),
  stop: stopOrderSchema.nullable(),
  areLoadsOver: z.boolean(),
};

const fromCoordinator: z.ZodType<FromCoordinator> = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("welcome"),
    runId: z.string(),
    shard: z.object({ index: count, count: z.int().positive() }),
    applied: count,
    job: z.string(),
    orphanTimeoutMs: z.number().positive(),
    orders: z.object(orders),
  }),
  z.object({ type: z.literal("refused"), reason: z.string() }),
  z.object({ type: z.literal("clock"), sentAtMs: z.number(), atMs: z.number() }),
  z.object({ type: z.literal("file"), sha256, bytes: count }),
  z.object({ type: z.literal("orders"), ...orders }),
  setupData,
  z.object({ type: z.literal("applied"), records: count }),
]);

/** @throws {InvalidInput} if the text is not a message */
export function readFromAgent(text: string): FromAgent {
  return read(fromAgent, text, "an agent");
}

/** @throws {InvalidInput} if the text is not a message */
export function readFromCoordinator(text: string): FromCoordinator {
  return read(fromCoordinator, text, "the coordinator");
}

function read<Message>(schema: z.ZodType<Message>, text: string, sender: string): Message {
  const message = schema.safeParse(tryJson(text)).data;
  if (message === undefined)
    throw new InvalidInput([`${sender} sent a message that this version of bearhug does not know.`]);
  return message;
}

/** A line of an agent's recording, compressed as on disk. */
export interface PostedRecord {
  /** 0 for the first line, which describes the run. */
  readonly number: number;
  readonly member: Buffer;
}

const numberBytes = 4;

export function packRecord({ number, member }: PostedRecord): Buffer {
  const head = Buffer.alloc(numberBytes);
  head.writeUInt32BE(number);
  return Buffer.concat([head, member]);
}

/** @throws {InvalidInput} for a frame that is too short to be a record */
export function unpackRecord(frame: Buffer): PostedRecord {
  if (frame.length <= numberBytes) throw new InvalidInput(["an agent sent a record that is cut short."]);
  return { number: frame.readUInt32BE(), member: frame.subarray(numberBytes) };
}

import type { StartClients } from "../clients/client.ts";
import type { DefinitionSource } from "../protocol/definition-source.ts";
import type { RunPlan } from "../protocol/plan.ts";

/** The worker part of a client kind, ready to start in a thread. */
export interface LoadedClients {
  /** The client's name in the context. */
  readonly name: string;
  readonly start: StartClients;
}

/** Loads the worker part of each kind of client, with what the test and its plan need of it. */
export async function loadClients(source: DefinitionSource, plan: RunPlan): Promise<LoadedClients[]> {
  const { client } = await import("../http/http-clients.ts");
  return [{ name: "http", start: await client.load(source, plan) }];
}

import type { ClientKind } from "../clients/client-kind.ts";
import type { ClientModule, StartClients } from "../clients/client.ts";
import type { DefinitionSource } from "../protocol/definition-source.ts";
import { readProperty } from "../protocol/read-thrown.ts";
import type { RunPlan } from "../protocol/plan.ts";

/** The worker part of a client kind, ready to start in a thread. */
export interface LoadedClients {
  readonly kind: ClientKind;
  readonly start: StartClients;
}

/** Loads the worker part of each kind of client, with what the test and its plan need of it. */
export function loadClients(source: DefinitionSource, plan: RunPlan): Promise<LoadedClients[]> {
  return Promise.all(
    plan.clients.map(async (kind) => {
      const { module } = kind;
      const loaded: unknown = await import(module);
      const client = readProperty(loaded, "client");
      if (!isClientModule(client)) throw new TypeError(`${module} exports no client`);
      return { kind, start: await client.load(source, plan) };
    }),
  );
}

function isClientModule(value: unknown): value is ClientModule {
  return typeof readProperty(value, "load") === "function";
}

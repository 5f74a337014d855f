import type { ClientModule, StartClients } from "@bearhug/plan/clients/client";
import type { ClientKind } from "@bearhug/plan/clients/client-kind";
import type { DefinitionSource } from "@bearhug/plan/protocol/definition-source";
import type { RunPlan } from "@bearhug/plan/protocol/plan";
import { readProperty } from "@bearhug/plan/protocol/read-thrown";

/** The worker part of a client kind, ready to start in a thread. */
export interface LoadedClients {
  readonly kind: ClientKind;
  readonly start: StartClients;
}

/** Loads the worker part of each kind of client, as far as the test and its plan need it. */
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

import type { SpeakUndici } from "../http/undici/undici-connection.ts";
import type { RunPlan } from "../protocol/plan.ts";

/** Loads undici where a plan has it speak HTTP: before the load begins, because that takes time and memory. */
export async function loadUndici({ http, scenarios }: RunPlan): Promise<SpeakUndici | null> {
  const options = [http, ...scenarios.map(({ scenario }) => scenario.http)];
  if (!options.some(({ transport }) => transport === "undici")) return null;
  const { UndiciTransport } = await import("../http/undici/undici-transport.ts");
  return (connection) => new UndiciTransport(connection);
}

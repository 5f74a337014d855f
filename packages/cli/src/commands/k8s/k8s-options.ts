import { Command, Option } from "commander";

import { addOptions } from "../options.ts";
import { Kubectl } from "../../kubernetes/kubectl.ts";

export interface ClusterFlags {
  readonly context?: string;
  readonly namespace?: string;
}

/** Adds the options of every command that connects to a cluster. */
export function addClusterOptions(command: Command): Command {
  return addOptions(command, "Pods and agents", [
    new Option("--context <name>", "use this context of your kubeconfig"),
    new Option("-n, --namespace <name>", "use this namespace instead of that of your context"),
  ]);
}

export function kubectlOf({ context, namespace }: ClusterFlags): Kubectl {
  return new Kubectl({ context: context ?? null, namespace: namespace ?? null });
}

/** Returns a sentence for an invalid namespace; otherwise null. */
export function namespaceProblem({ namespace }: ClusterFlags): string | null {
  if (namespace === undefined || /^[a-z\d]([-a-z\d]{0,61}[a-z\d])?$/.test(namespace)) return null;
  return `--namespace ${namespace}: use at most 63 lower-case letters, digits and hyphens.`;
}

import type { Job } from "kubernetes-types/batch/v1.d.ts";
import type { ConfigMap, Secret, Service } from "kubernetes-types/core/v1.d.ts";
import type { ObjectMeta } from "kubernetes-types/meta/v1.d.ts";

/** The inputs for the objects of a run. */
export interface RunManifestOptions {
  readonly name: string;
  /** Null: the namespace of the user's context. */
  readonly namespace: string | null;
  readonly agents: number;
  readonly test: TestInCluster;
  readonly pods: PodOptions;
  /** The longest time that the agents may exist. */
  readonly deadlineSeconds: number;
  /** The longest time that an agent needs to end its load after SIGTERM. */
  readonly graceSeconds: number;
  /** A duration, unparsed. */
  readonly joinTimeout: string;
  /** True if late or lost agents do not fail the run. */
  readonly allowsPartial: boolean;
}

export interface PodOptions {
  readonly image: string;
  readonly pullSecrets: readonly string[];
  readonly cpu: string;
  readonly memory: string;
  readonly nodeSelector: Readonly<Record<string, string>>;
}

/** The test in the coordinator's pod: packed, in the ConfigMap and the Secret, or a file of its image. */
export type TestInCluster =
  | { readonly kind: "packed"; readonly files: ReadonlyMap<string, Uint8Array> }
  | InImage;

export interface InImage {
  readonly kind: "in-image";
  readonly path: string;
  /** Arguments of `bearhug coordinate`: the options of the load. */
  readonly options: readonly string[];
  /** Names of the test's variables whose values are in the Secret. */
  readonly variables: readonly string[];
}

/** The values of the Secret. */
export interface RunSecrets {
  readonly token: string;
  /** The description of a packed test, with its options and variables; null for a test in the image. */
  readonly job: string | null;
  /** Values of the variables of a test in the image, by name. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A Kubernetes object of a run. */
export type Manifest = (ConfigMap | Job | Secret | Service) & { readonly metadata: NamedMetadata };
export type NamedMetadata = ObjectMeta & { readonly name: string };

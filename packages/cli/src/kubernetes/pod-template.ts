import type {
  Container,
  EnvVar,
  PodTemplateSpec,
  ResourceRequirements,
  TopologySpreadConstraint,
  Volume,
  VolumeMount,
  VolumeProjection,
} from "kubernetes-types/core/v1.d.ts";

import { componentLabel, labelsOf, runLabel, type Component } from "./run-names.ts";
import type { PodOptions, RunManifestOptions } from "./run-manifest-options.ts";

const jobFolder = "/bearhug/job";
export const jobDescription = "job.json";
export const port = 7654;

/** Kubernetes reads a container's termination message from this file. */
const terminationLog = "/dev/termination-log";

/** Prevents autoscalers from evicting pods during the load. */
const annotations = {
  "cluster-autoscaler.kubernetes.io/safe-to-evict": "false",
  "karpenter.sh/do-not-disrupt": "true",
};

/** Returns the pod template of a Job, which satisfies the restricted pod security standard. */
export function podTemplate(facts: RunManifestOptions, component: Component): PodTemplateSpec {
  const { name, pods, graceSeconds } = facts;
  return {
    metadata: { labels: labelsOf(name, component), annotations },
    spec: {
      restartPolicy: "Never",
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      // The coordinator waits for the last records of its agents.
      terminationGracePeriodSeconds: component === "agent" ? graceSeconds : graceSeconds + 30,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      ...(pods.pullSecrets.length > 0 && {
        imagePullSecrets: pods.pullSecrets.map((secret) => ({ name: secret })),
      }),
      ...(Object.keys(pods.nodeSelector).length > 0 && { nodeSelector: pods.nodeSelector }),
      ...(component === "agent" && { topologySpreadConstraints: [spreadOverNodes(name)] }),
      containers: [
        {
          name: component,
          image: pods.image,
          ...(component === "agent" ? agentProcess(facts) : coordinatorProcess(facts)),
          resources: resourcesOf(pods),
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
          },
          terminationMessagePolicy: "FallbackToLogsOnError",
          volumeMounts: [
            { name: "tmp", mountPath: "/tmp" },
            ...(component === "agent" ? [] : coordinatorMounts(facts)),
          ],
        },
      ],
      volumes: [{ name: "tmp", emptyDir: {} }, ...(component === "agent" ? [] : coordinatorVolumes(facts))],
    },
  };
}

/**
 * Returns resources whose requests equal their limits: a generator whose CPU is taken away would measure its
 * own node.
 */
function resourcesOf({ cpu, memory }: PodOptions): ResourceRequirements {
  return { requests: { cpu, memory }, limits: { cpu, memory } };
}

function spreadOverNodes(run: string): TopologySpreadConstraint {
  return {
    maxSkew: 1,
    topologyKey: "kubernetes.io/hostname",
    whenUnsatisfiable: "ScheduleAnyway",
    labelSelector: { matchLabels: { [runLabel]: run, [componentLabel]: "agent" } },
  };
}

function agentProcess({ name, joinTimeout }: RunManifestOptions): Partial<Container> {
  return {
    args: [
      "agent",
      "--join",
      `wss://${name}:${port}`,
      "--join-timeout",
      joinTimeout,
      "--log-payload",
      terminationLog,
    ],
    env: [...environment, fromSecret(name, "BEARHUG_TOKEN", "token")],
  };
}

function coordinatorProcess({
  name,
  agents,
  test,
  joinTimeout,
  allowsPartial,
}: RunManifestOptions): Partial<Container> {
  const { options, variables } = test.kind === "in-image" ? test : { options: [], variables: [] };
  return {
    args: [
      "coordinate",
      test.kind === "packed" ? jobFolder : test.path,
      "--agents",
      String(agents),
      // Agents recognize their coordinator by this name after a restart.
      "--run-id",
      name,
      "--listen",
      `0.0.0.0:${port}`,
      "--join-timeout",
      joinTimeout,
      ...(allowsPartial ? ["--allow-partial"] : []),
      "--log-payload",
      terminationLog,
      ...options.map(escapeReferences),
    ],
    env: [
      ...environment,
      fromSecret(name, "BEARHUG_TOKEN", "token"),
      ...variables.map((variable) => fromSecret(name, variable, variableKey(variable))),
    ],
    ports: [{ name: "agents", containerPort: port }],
  };
}

/** Sets a writable home: the root file system is read-only, and the image's user may have no home. */
const environment = [{ name: "HOME", value: "/tmp" }];

function fromSecret(secret: string, name: string, key: string): EnvVar {
  return { name, valueFrom: { secretKeyRef: { name: secret, key } } };
}

/** Returns the key of a test's variable in the Secret. */
export function variableKey(variable: string): string {
  return `env.${variable}`;
}

/** Escapes `$(NAME)`, which Kubernetes would replace in arguments. */
function escapeReferences(text: string): string {
  return text.replaceAll("$(", "$$$$(");
}

function coordinatorMounts({ test }: RunManifestOptions): VolumeMount[] {
  return test.kind === "packed" ? [{ name: "job", mountPath: jobFolder, readOnly: true }] : [];
}

function coordinatorVolumes({ name, test }: RunManifestOptions): Volume[] {
  return test.kind === "packed" ? [{ name: "job", projected: { sources: jobSources(name) } }] : [];
}

/**
 * Returns the sources of the job's folder. Files are in the ConfigMap; options and variables, which may
 * contain secrets, in the Secret.
 */
function jobSources(name: string): VolumeProjection[] {
  return [
    { configMap: { name } },
    { secret: { name, items: [{ key: jobDescription, path: jobDescription }] } },
  ];
}

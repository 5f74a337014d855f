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

/** The file whose content becomes the termination message of a container. */
const terminationLog = "/dev/termination-log";

/** A pod would be evicted for the autoscaler's convenience, and its load with it. */
const annotations = {
  "cluster-autoscaler.kubernetes.io/safe-to-evict": "false",
  "karpenter.sh/do-not-disrupt": "true",
};

/** The pods of a Job. They satisfy the restricted pod security standard. */
export function podTemplate(facts: RunManifestOptions, component: Component): PodTemplateSpec {
  const { name, pods, graceSeconds } = facts;
  return {
    metadata: { labels: labelsOf(name, component), annotations },
    spec: {
      restartPolicy: "Never",
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      // The coordinator waits for the last words of its agents.
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

/** Requests equal limits: a generator whose CPU is taken away measures its node. */
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
      "--last-words",
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
      // After a restart, agents know by it that it is their coordinator.
      "--run-id",
      name,
      "--listen",
      `0.0.0.0:${port}`,
      "--join-timeout",
      joinTimeout,
      ...(allowsPartial ? ["--allow-partial"] : []),
      "--last-words",
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

/** The root file system is read-only, and any user may have no home. */
const environment = [{ name: "HOME", value: "/tmp" }];

function fromSecret(secret: string, name: string, key: string): EnvVar {
  return { name, valueFrom: { secretKeyRef: { name: secret, key } } };
}

/** The key of a test's variable in the Secret. */
export function variableKey(variable: string): string {
  return `env.${variable}`;
}

/** Kubernetes would replace `$(NAME)` in arguments. */
function escapeReferences(text: string): string {
  return text.replaceAll("$(", "$$$$(");
}

function coordinatorMounts({ test }: RunManifestOptions): VolumeMount[] {
  return test.kind === "packed" ? [{ name: "job", mountPath: jobFolder, readOnly: true }] : [];
}

function coordinatorVolumes({ name, test }: RunManifestOptions): Volume[] {
  return test.kind === "packed" ? [{ name: "job", projected: { sources: jobSources(name) } }] : [];
}

/** The test's files are in the ConfigMap; its options and variables may hold secrets. */
function jobSources(name: string): VolumeProjection[] {
  return [
    { configMap: { name } },
    { secret: { name, items: [{ key: jobDescription, path: jobDescription }] } },
  ];
}

/** The part that a pod or Job has in a run. */
export type Component = "coordinator" | "agent";

const nameLabel = "app.kubernetes.io/name";
export const runLabel = "app.kubernetes.io/instance";
export const componentLabel = "app.kubernetes.io/component";

/** Kubernetes sets it on the pods of an Indexed Job. */
export const indexLabel = "batch.kubernetes.io/job-completion-index";

export function labelsOf(run: string, component?: Component): Record<string, string> {
  return {
    [nameLabel]: "bearhug",
    [runLabel]: run,
    ...(component && { [componentLabel]: component }),
    "app.kubernetes.io/managed-by": "bearhug",
  };
}

/** Selects all objects of a run; without a name, those of every run. */
export function selectorOf(run: string | null): string {
  const ofAll = `${nameLabel}=bearhug`;
  return run === null ? ofAll : `${ofAll},${runLabel}=${run}`;
}

/** The name of a Job; the Service, ConfigMap and Secret have the name of the run itself. */
export function jobName(run: string, component: Component): string {
  return component === "agent" ? `${run}-agents` : `${run}-coordinator`;
}

/** Leaves room for what Kubernetes adds to the names of pods, which are host names of at most 63 characters. */
const longestName = 40;
const longestSlug = 30;

/** Names a run after its test. Services need names that start with a letter. */
export function nameRun(testName: string, suffix: string): string {
  const words = testName
    .toLowerCase()
    .replace(/\.(test|spec|load)?\.?[cm]?[jt]s$/, "")
    .replaceAll(/[^a-z\d]+/g, "-");
  const slug = words.slice(0, longestSlug).replaceAll(/^-+|-+$/g, "");
  return `${/^[a-z]/.test(slug) ? slug : `run-${slug}`}-${suffix}`.replace("--", "-");
}

/** A sentence for a name that Kubernetes would refuse; null for one that it takes. */
export function nameProblem(name: string): string | null {
  if (name.length <= longestName && /^[a-z]([-a-z\d]*[a-z\d])?$/.test(name)) return null;
  return `--name ${name}: use at most ${longestName} lower-case letters, digits and hyphens, and start with a letter.`;
}

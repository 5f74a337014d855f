/** The role of a pod or Job in a run. */
export type Component = "coordinator" | "agent";

const nameLabel = "app.kubernetes.io/name";
export const runLabel = "app.kubernetes.io/instance";
export const componentLabel = "app.kubernetes.io/component";

/** Kubernetes sets this label on the pods of an Indexed Job. */
export const indexLabel = "batch.kubernetes.io/job-completion-index";

export function labelsOf(run: string, component?: Component): Record<string, string> {
  return {
    [nameLabel]: "bearhug",
    [runLabel]: run,
    ...(component && { [componentLabel]: component }),
    "app.kubernetes.io/managed-by": "bearhug",
  };
}

/** Returns the selector of all objects of a run, or of all runs for null. */
export function selectorOf(run: string | null): string {
  const allRuns = `${nameLabel}=bearhug`;
  return run === null ? allRuns : `${allRuns},${runLabel}=${run}`;
}

/** Returns the name of a Job. The Service, ConfigMap and Secret are named like the run itself. */
export function jobName(run: string, component: Component): string {
  return component === "agent" ? `${run}-agents` : `${run}-coordinator`;
}

/**
 * Leaves room for the suffixes that Kubernetes adds to names of pods, which are host names of at most 63
 * characters.
 */
const maxNameLength = 40;
const maxSlugLength = 30;

/** Names a run after its test. Names of Services must start with a letter. */
export function nameRun(testName: string, suffix: string): string {
  const words = testName
    .toLowerCase()
    .replace(/\.(test|spec|load)?\.?[cm]?[jt]s$/, "")
    .replaceAll(/[^a-z\d]+/g, "-");
  const slug = words.slice(0, maxSlugLength).replaceAll(/^-+|-+$/g, "");
  return `${/^[a-z]/.test(slug) ? slug : `run-${slug}`}-${suffix}`.replace("--", "-");
}

/** Returns a sentence if Kubernetes would reject a name; otherwise null. */
export function nameProblem(name: string): string | null {
  if (name.length <= maxNameLength && /^[a-z]([-a-z\d]*[a-z\d])?$/.test(name)) return null;
  return `--name ${name}: use at most ${maxNameLength} lower-case letters, digits and hyphens, and start with a letter.`;
}

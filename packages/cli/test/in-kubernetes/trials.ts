import { join } from "node:path";

import { root } from "../../../../tools/workspace.mjs";
import { until } from "./control-plane.ts";
import { expectFact, type Ended, type Running, type Trial } from "./trial.ts";

const kinds = "jobs,pods,services,configmaps,secrets";

/** Each trial leaves the cluster as it found it. */
export const trials: Readonly<Record<string, (trial: Trial) => Promise<void>>> = {
  "the API server accepts the manifests, even under restricted pod security": ({ plane, note }) => {
    for (const namespace of ["load", "restricted"]) plane.kubectl("create", "namespace", namespace);
    plane.kubectl("label", "namespace", "restricted", "pod-security.kubernetes.io/enforce=restricted");
    plane.kubectl("label", "namespace", "load", "pod-security.kubernetes.io/enforce=restricted");
    const golden = join(root, "packages/cli/test/kubernetes/golden");
    for (const name of ["packed", "secret", "in-image"]) {
      const where = name === "in-image" ? [] : ["--namespace", "restricted"];
      const file = ["--filename", join(golden, `${name}.yaml`)];
      for (const line of plane.kubectl("apply", "--dry-run=server", ...where, ...file).split("\n"))
        note(line);
    }
    return Promise.resolve();
  },

  "3 agents end in one result equal to the plan": async (trial) => {
    await expectPlan(trial, { name: "three", agents: 3, rate: 6, seconds: 5 });
    await removed(trial, "three");
  },

  "the coordinator's log is gone: collect rebuilds the result from the agents' logs": async (trial) => {
    const { plane, note } = trial;
    await expectPlan(trial, { name: "silent", agents: 3, rate: 6, seconds: 5 });
    for (const { name } of plane.pods("silent", "coordinator", "Succeeded"))
      plane.kubectl("delete", "pod", name);
    const ended = await trial.k8s("collect", "silent").ended;
    note(lineWith(ended, "Rebuilt the result"));
    expectFact("exit code", ended.code, 0, ended);
    expectFact("iterations", iterationsOf(ended), 30, ended);
    await removed(trial, "silent");
  },

  "the command on the laptop is killed, and attaches again": async (trial) => {
    const first = trial.start({ name: "lid", agents: 3, rate: 6, seconds: 20 });
    await underLoad(trial);
    first.child.kill("SIGKILL");
    await first.ended;
    const ended = await trial.k8s("attach", "lid").ended;
    noteEnd(trial, ended);
    expectFact("exit code", ended.code, 0, ended);
    expectFact("iterations", iterationsOf(ended), 120, ended);
    expectFact("requests at the site", trial.requests(), 120, ended);
    await removed(trial, "lid");
  },

  "an agent's pod is killed: the others finish, and the loss is named": async (trial) => {
    const { plane, note } = trial;
    const run = trial.start({ name: "killed", agents: 3, rate: 6, seconds: 20 });
    await underLoad(trial);
    const [victim] = plane.pods("killed", "agent");
    if (victim !== undefined) await plane.killPod(victim.name);
    const ended = await run.ended;
    noteEnd(trial, ended);
    note(lineWith(ended, "OOMKilled"));
    for (const message of ended.result?.messages ?? []) note(message);
    expectFact("exit code", ended.code, 109, ended);
    await removed(trial, "killed");
  },

  "an agent's pod is killed with --allow-partial: the result is partial, and its report is written": async (
    trial,
  ) => {
    const { plane, note } = trial;
    const run = trial.start({ name: "partial", agents: 3, rate: 6, seconds: 20 }, "--allow-partial");
    await underLoad(trial);
    const [victim] = plane.pods("partial", "agent");
    if (victim !== undefined) await plane.killPod(victim.name);
    const ended = await run.ended;
    noteEnd(trial, ended);
    for (const reason of ended.result?.partial ?? []) note(reason);
    expectFact("exit code", ended.code, 0, ended);
    expectFact("missing parts", ended.result?.partial?.length, 1, ended);
    await removed(trial, "partial");
  },

  "the coordinator's image does not exist: the join timeout ends the run, with the reason": async (trial) => {
    const load = { name: "misspelt", agents: 2, rate: 6, seconds: 5, image: "bearhug:misspelt" };
    await endsUnstarted(trial, trial.start(load, "--join-timeout", "20s"), "cannot start");
  },

  "no node fits the coordinator: the join timeout ends the run, with the reason": async (trial) => {
    const run = trial.start(
      { name: "nowhere", agents: 2, rate: 6, seconds: 5 },
      "--join-timeout",
      "20s",
      "--node-selector",
      "pool=nowhere",
    );
    await endsUnstarted(trial, run, "cannot be placed on a node");
  },

  "attach to a run whose coordinator cannot start: it ends at the join timeout with the reason, and keeps the run":
    async (trial) => {
      const { plane, note } = trial;
      const load = { name: "unpulled", agents: 2, rate: 6, seconds: 5, image: "bearhug:misspelt" };
      const first = trial.start(load, "--join-timeout", "20s");
      // The agents are created last.
      await until("the agents", () => plane.pods("unpulled", "agent", "Pending").length > 0);
      first.child.kill("SIGKILL");
      await first.ended;
      const startedMs = Date.now();
      const ended = await trial.k8s("attach", "unpulled").ended;
      note(lineWith(ended, "cannot start"));
      note(lineWith(ended, "did not start within"));
      note(lineWith(ended, "still waits for it"));
      expectFact("exit code", ended.code, 109, ended);
      expectFact("in less than a minute", Date.now() - startedMs < 60_000, true, ended);
      await removed(trial, "unpulled");
    },

  "a node is lost: the run ends without it, and the loss is named": async (trial) => {
    const { plane, note } = trial;
    const run = trial.start({ name: "node", agents: 3, rate: 6, seconds: 20 });
    await underLoad(trial);
    const [coordinator] = plane.pods("node", "coordinator");
    const elsewhere = plane.pods("node", "agent").find(({ node }) => node !== coordinator?.node);
    if (elsewhere === undefined) throw new Error("all pods are on one node");
    await plane.loseNode(elsewhere.node);
    const ended = await run.ended;
    await plane.restoreNode(elsewhere.node);
    noteEnd(trial, ended);
    note(lineWith(ended, "does not answer"));
    for (const message of ended.result?.messages ?? []) note(message);
    expectFact("exit code", ended.code, 109, ended);
    await removed(trial, "node");
  },

  "the coordinator is killed: a new one takes over, and nothing is lost": async (trial) => {
    const { plane, note } = trial;
    const run = trial.start({ name: "heir", agents: 3, rate: 6, seconds: 30 });
    await underLoad(trial);
    const [victim] = plane.pods("heir", "coordinator");
    if (victim !== undefined) await plane.killPod(victim.name);
    const ended = await run.ended;
    noteEnd(trial, ended);
    note(lineWith(ended, "OOMKilled"));
    expectFact("exit code", ended.code, 0, ended);
    expectFact("iterations", iterationsOf(ended), 180, ended);
    expectFact("requests at the site", trial.requests(), 180, ended);
    await removed(trial, "heir");
  },

  "stop ends a run gracefully, reports it and removes it": async (trial) => {
    const first = trial.start({ name: "stopped", agents: 3, rate: 6, seconds: 120 });
    await underLoad(trial);
    const ended = await trial.k8s("stop", "stopped").ended;
    noteEnd(trial, ended);
    expectFact("exit code", ended.code, 105, ended);
    expectFact("iterations", iterationsOf(ended), trial.requests(), ended);
    await first.ended;
    await isGone(trial);
  },

  "a quota refuses pods: the run says so, and sends nothing": async (trial) => {
    const { plane, note } = trial;
    plane.kubectl("create", "quota", "few", "--hard=pods=3");
    const run = trial.start({ name: "tight", agents: 5, rate: 5, seconds: 5 }, "--join-timeout", "20s");
    const ended = await run.ended;
    note(lineWith(ended, "exceeded quota"));
    note(lineWith(ended, "did not join"));
    expectFact("requests at the site", trial.requests(), 0, ended);
    expectFact("exit code", ended.code, 109, ended);
    plane.kubectl("delete", "quota", "few");
    await removed(trial, "tight");
  },

  "48 agents end in one result equal to the plan": async (trial) => {
    await expectPlan(trial, { name: "many", agents: 48, rate: 24, seconds: 10 });
    await removed(trial, "many");
  },
};

async function expectPlan(trial: Trial, load: Parameters<Trial["start"]>[0]): Promise<void> {
  const planned = load.rate * load.seconds;
  const ended = await trial.start(load).ended;
  noteEnd(trial, ended);
  expectFact("exit code", ended.code, 0, ended);
  expectFact("iterations", iterationsOf(ended), planned, ended);
  expectFact("requests at the site", trial.requests(), planned, ended);
}

/**
 * Expects a run whose coordinator cannot start to end at the join timeout with this reason, and to leave
 * nothing.
 */
async function endsUnstarted(trial: Trial, run: Running, reason: string): Promise<void> {
  const startedMs = Date.now();
  const ended = await run.ended;
  noteEnd(trial, ended);
  trial.note(lineWith(ended, reason));
  trial.note(lineWith(ended, "did not start within"));
  expectFact("exit code", ended.code, 109, ended);
  expectFact("in less than a minute", Date.now() - startedMs < 60_000, true, ended);
  expectFact("requests at the site", trial.requests(), 0, ended);
  await isGone(trial);
}

/** Waits until the site has received some requests. */
function underLoad(trial: Trial): Promise<void> {
  return until("the load", () => trial.requests() > 10);
}

function noteEnd({ note, requests }: Trial, ended: Ended): void {
  const { code, result } = ended;
  const iterations = iterationsOf(ended);
  note(
    `exit code ${code ?? "none"}; the result has ${iterations ?? "no"} iterations, the site has had ${requests()} requests`,
  );
  if (result !== null) note(result.notes.find((one) => one.startsWith("merged from")) ?? "no merge");
}

function iterationsOf({ result }: Ended): number | null {
  return result?.accounting.iterations.started ?? null;
}

/** Returns the first line of a command's stderr that contains a text. */
function lineWith({ stderr }: Ended, text: string): string {
  const line = stderr.split("\n").find((one) => one.includes(text));
  if (line === undefined) throw new Error(`nothing about "${text}" in:\n${stderr}`);
  return line;
}

/** Removes a run that has ended, and waits until nothing of it is left. */
async function removed(trial: Trial, run: string): Promise<void> {
  await trial.k8s("stop", run).ended;
  await isGone(trial);
}

async function isGone({ plane }: Trial): Promise<void> {
  const left = ["get", kinds, "--selector", "app.kubernetes.io/name=bearhug", "--output", "name"];
  await until("the removal of everything", () => plane.kubectl(...left) === "");
}

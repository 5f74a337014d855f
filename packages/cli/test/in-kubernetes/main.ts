// pnpm test:k8s: runs `bearhug k8s` against a real Kubernetes control plane on this machine, injects faults,
// and prints the observations. The control plane is in the folder K8S_KIT, by default ../shared/k8s-kit. It
// needs root, and takes 7 minutes longer the first time.

import { ControlPlane } from "./control-plane.ts";
import { installImage } from "./image.ts";
import { runTrial } from "./trial.ts";
import { trials } from "./trials.ts";

const chosen = process.argv[2] ?? "";
process.stdout.write("installing the packages as the Dockerfile does\n");
const { command, images } = await installImage();
process.stdout.write("starting etcd, API server, controllers, scheduler and three nodes\n");
const plane = ControlPlane.start(images);
let failures = 0;
try {
  for (const [title, trial] of Object.entries(trials).filter(([name]) => name.includes(chosen)))
    if (!(await runTrial(title, { plane, command }, trial))) failures++;
} finally {
  plane.stop();
}
process.stdout.write(failures === 0 ? "all as it should be\n" : `${failures} not as they should be\n`);
process.exitCode = failures === 0 ? 0 : 1;

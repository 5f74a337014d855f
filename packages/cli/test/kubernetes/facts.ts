import type { RunManifestOptions, RunSecrets } from "../../src/kubernetes/run-manifest-options.ts";

/** A run of three agents, with a text file and a binary file. */
export const facts: RunManifestOptions = {
  name: "shop-run",
  namespace: null,
  agents: 3,
  test: {
    kind: "packed",
    files: new Map([
      ["aa11", Buffer.from("export default test;\n")],
      ["bb22", Buffer.from([0xff, 0xfe, 0x00])],
    ]),
  },
  pods: { image: "registry.example/bearhug:1", pullSecrets: [], cpu: "1", memory: "1Gi", nodeSelector: {} },
  deadlineSeconds: 1260,
  graceSeconds: 120,
  joinTimeout: "10m",
  allowsPartial: false,
};

export const secrets: RunSecrets = {
  token: "t0ken",
  job: '{"schema":"bearhug/job@1"}',
  variables: {},
};

import { existsSync, mkdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import {
  folderName,
  removeOlderFolders,
  RunFolder,
  type KeptState,
} from "../../../src/cluster/coordinate/run-folder.ts";
import { temporaryFolder } from "../../end-to-end/run-bearhug.ts";

const state: KeptState = {
  runId: "a run",
  agents: 2,
  token: "secret",
  tls: null,
  startAtMs: 5,
  setupData: "{}",
  seats: [{ agentId: "a", name: "web-1", shard: 1 }],
  stop: { reason: "SIGINT", interruption: "graceful" },
};

test("a coordinator reads back the state that was saved last, from a file that only its owner can read", async () => {
  const folder = new RunFolder(join(temporaryFolder(), "new", "run"));
  await folder.make();
  expect(await folder.read()).toBeNull();
  await Promise.all([folder.save({ ...state, agents: 3 }), folder.save(state)]);
  expect(await new RunFolder(folder.path).read()).toEqual(state);
  if (process.platform !== "win32")
    expect(statSync(join(folder.path, "state.json")).mode & 0o777).toBe(0o600);
  await folder.remove();
  expect(existsSync(folder.path)).toBe(false);
});

test("a file that contains no valid state is refused", async () => {
  const folder = new RunFolder(temporaryFolder());
  writeFileSync(join(folder.path, "state.json"), `{"runId":1}`);
  await expect(folder.read()).rejects.toThrow(
    "state.json: is not the state of a run that this version of bearhug knows",
  );
});

test("folders of killed coordinators are removed once they are old, and nothing else is", async () => {
  const parent = temporaryFolder();
  for (const name of [folderName("old"), folderName("new"), "other"]) mkdirSync(join(parent, name));
  for (const name of [folderName("old"), "other"]) utimesSync(join(parent, name), 0, 0);
  await removeOlderFolders(parent, 1000, Date.now());
  expect(
    [folderName("old"), folderName("new"), "other"].map((name) => existsSync(join(parent, name))),
  ).toEqual([false, true, true]);
  await removeOlderFolders(join(parent, "nowhere"), 1000, Date.now());
});

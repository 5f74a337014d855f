import type { TestResult } from "@bearhug/sdk";
import type { OverloadResult } from "@bearhug/sdk/result";

import { classifyOverload } from "../../../engine/src/outcome/overload/classify-overload.ts";
import { sheddingServer, simulate } from "../../../engine/test/outcome/overload/simulated-server.ts";
import { foundCapacity } from "../found-capacity.ts";
import { resultOf } from "../result-of.ts";
import { timed } from "./timed-result.ts";

const load = { rate: 150, factor: 2, phaseMs: 6000 };

/** An overload whose target sheds requests above its rate. */
export const shed: OverloadResult = classifyOverload(load, simulate(load, sheddingServer(4, 30), 2).seconds);

/** The result of a search that exceeded the capacity. */
export const exceeded: TestResult = resultOf({
  ...timed,
  notes: foundCapacity.notes,
  capacity: foundCapacity.capacity,
  overload: shed,
});

import type { Port, SecretsSeen } from "@bearhug/plan/protocol/messages";
import { createMask, type Mask } from "@bearhug/text/secret-mask";

/** The coordinator shows source lines alone that were not masked here: the first values that are seen stand in those. */
const mostTold = 1000;

/** The mask of a worker's thread, which tells the coordinator of secrets that are seen in the run. */
export function createThreadMask(
  secrets: readonly string[],
  port: Pick<Port<SecretsSeen, never>, "send">,
): Mask {
  const mask = createMask(secrets);
  let told = 0;
  mask.onSeen((value) => {
    if (told++ < mostTold) port.send({ type: "secrets", values: [value] });
  });
  return mask;
}

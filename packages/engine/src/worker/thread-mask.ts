import type { Port, SecretsSeen } from "@bearhug/plan/protocol/messages";
import { createMask, type Mask } from "@bearhug/text/secret-mask";

/**
 * The most secrets reported. The coordinator needs them only to mask source lines, in which only the first
 * values seen can occur.
 */
const maxReported = 1000;

/** Creates the mask of a worker's thread, which reports secrets seen in the run to the coordinator. */
export function createThreadMask(
  secrets: readonly string[],
  port: Pick<Port<SecretsSeen, never>, "send">,
): Mask {
  const mask = createMask(secrets);
  let reportedCount = 0;
  mask.onSeen((value) => {
    if (reportedCount++ < maxReported) port.send({ type: "secrets", values: [value] });
  });
  return mask;
}

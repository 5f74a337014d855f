import { ownWords } from "@bearhug/text/masked-text";
import { describe, expect, test } from "vitest";

import { describeFailedStage } from "../../../src/outcome/verdict/failed-stages.ts";
import { endingOf } from "./ending-of.ts";

const thrown = { message: ownWords`Error: no token`, position: { line: 9, column: 2 } };
const source = { file: "shop.ts", line: 3, column: 5 };
const locate = () => ({ source, frame: null });

const request = { started: 2, sent: 2, succeeded: 1, failed: 0, interrupted: 0, lost: 0 };
const hanging = ["interrupted", "lost"].map((end) => ({ ...request, name: `GET /${end}`, [end]: 1 }));

/** Accounts in which the stage had requests that succeeded and two names with one that hangs. */
const { accounting } = endingOf(
  {},
  { setup: { requests: [{ ...request, name: "GET /fine", succeeded: 2 }, ...hanging] } },
);

describe("a stage that failed", () => {
  test("is described by its error and the place", () => {
    expect(describeFailedStage({ stage: "teardown", thrown }, accounting, locate)).toBe(
      "teardown failed at shop.ts:3:5: Error: no token",
    );
    const lost = { ...thrown, position: null };
    expect(describeFailedStage({ stage: "teardown", thrown: lost }, accounting, locate)).toBe(
      "teardown failed: Error: no token",
    );
    expect(describeFailedStage({ stage: "teardown", thrown }, accounting, () => null)).toBe(
      "teardown failed: Error: no token",
    );
  });

  test("is described as a test that could not be loaded if its module threw", () => {
    expect(describeFailedStage({ stage: "module", thrown }, accounting, locate)).toBe(
      "the test could not be loaded at shop.ts:3:5: Error: no token",
    );
  });

  test("is described with up to three requests that had failed before or got no response", () => {
    const failed = { name: "POST /login", code: "HTTP_418", origin: "https://shop.example" };
    const messageOf = (failedRequests: (typeof failed)[]): string =>
      describeFailedStage({ stage: "setup", thrown: { ...thrown, failedRequests } }, accounting, locate);
    expect(messageOf([failed])).toBe(
      "setup failed at shop.ts:3:5: Error: no token; before that, POST /login failed: HTTP_418 at shop.example; " +
        "GET /interrupted got no response; GET /lost got no response",
    );
    expect(messageOf([failed, failed, failed, failed])).not.toContain("no response");
    expect(messageOf([failed, failed, failed, failed]).split("POST /login")).toHaveLength(4);
  });
});

import { describeVisit } from "./an-application.ts";
import { onRequest, withLongTitle } from "./meddlings.ts";
import { pocketbase } from "./pocketbase.ts";

const creating = "POST /api/collections/notes/records";

describeVisit(pocketbase, {
  name: "API",
  creating: /^POST .*notes\/records$/,
  faults: {
    "a wrong password": { variables: { PASSWORD: "wrong" }, says: /auth-with-password/ },
    "a title too long": { meddle: () => onRequest(creating, withLongTitle), says: /notes\/records/ },
    "an expired token": {
      meddle: () =>
        onRequest(creating, (request) => ({
          ...request,
          headers: { ...request.headers, authorization: "expired" },
        })),
      says: /notes\/records/,
    },
  },
});

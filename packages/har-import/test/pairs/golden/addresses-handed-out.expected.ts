// Generated once from a capture of https://shop.example. Edit freely.
import {
  defineTest,
  extract,
  isHtml,
  isJson,
  isNotHtml,
  noJsonErrors,
  statusIs,
} from "@bearhug/sdk";

const documentHeaders = { accept: "text/html" };

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  http: { headers: { accept: "*/*" } },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99.7%"],
    http_req_failed: ["rate<0.6%"],
    iteration_failed: ["rate<1%"],
    // Twice the recorded time, as a starting point.
    "page_duration{page:Front}": ["p(95)<500ms"],
    "page_duration{page:Legacy list}": ["p(95)<500ms"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, page, group, check, think }) => {
        const { jsessionid } = await page("Front", async () => {
          const home = await http.get("/", { headers: documentHeaders });
          check(home, { ...statusIs(200), ...isHtml() });
          const jsessionid = extract(home, { between: ["jsessionid=", "?"] });

          return { jsessionid };
        });

        await think("3s");

        await page("Legacy list", async () => {
          const legacy = await http.get(
            "/legacy/list.do;jsessionid=" +
              encodeURIComponent(jsessionid) +
              "?view=all",
            { name: "GET /legacy/list.do", headers: documentHeaders },
          );
          check(legacy, { ...statusIs(200), ...isHtml() });
        });

        await think("3s");

        const { docId, etag, version } = await group(
          "POST /api/docs",
          async () => {
            // if the site takes each title only once, import with --unique
            const docs = await http.post("/api/docs", {
              json: { title: "Offer" },
            });
            check(docs, { ...statusIs(201), ...isNotHtml() });
            const docId = extract(docs, { segment: -1 });

            const docs2 = await http.get(
              "/api/docs/" + encodeURIComponent(docId),
            );
            check(docs2, { ...statusIs(200), ...isJson() });
            const downloadUrl = extract(docs2, { json: "downloadUrl" });
            const thumb = extract(docs2, { json: "thumb" });
            const etag = extract(docs2, { header: "etag" });
            const version = extract(docs2, { json: "version" });

            for (const response of await http.batch([downloadUrl, thumb])) {
              check(response, { ...statusIs(200), ...isNotHtml() });
            }

            return { docId, etag, version };
          },
        );

        await think("3s");

        await group("PUT /api/docs/id", async () => {
          const docs = await http.put(
            "/api/docs/" + encodeURIComponent(docId),
            {
              headers: { "if-match": etag },
              json: { title: "Offer 2", version: Number(version) },
            },
          );
          check(docs, { ...statusIs(200), ...noJsonErrors() });
        });

        await think("3s");

        await group("POST /api/links", async () => {
          const links = await http.post("/api/links", {
            json: { from: Number(docId), documents: [Number(docId)] },
          });
          check(links, { ...statusIs(200), ...noJsonErrors() });
        });
      },
    },
  },
});

const maxLineWidth = 80;

/** Returns the source of a first test: a few virtual users who visit one address. */
export function writeFirstTest(address: string): string {
  const { origin, pathname, search } = new URL(address);
  return `import { defineTest } from "@bearhug/sdk";

/** Five virtual users visit one page for ten seconds. */
export default defineTest({
${property("baseUrl", origin)}
  scenarios: {
    visitors: {
      executor: "constant-vus",
      vus: 5,
      duration: "10s",
      exec: async ({ http, check, think }) => {
${request(pathname + search)}
        check(response, { "status is 200": ({ status }) => status === 200 });
        await think("200ms", "500ms");
      },
    },
  },
  thresholds: {
    http_req_failed: ["rate<1%"],
    http_req_duration: ["p(95)<500ms"],
    checks: ["rate>99%"],
  },
});
`;
}

function property(name: string, value: string): string {
  const line = `  ${name}: ${JSON.stringify(value)},`;
  return line.length <= maxLineWidth ? line : `  ${name}:\n    ${JSON.stringify(value)},`;
}

function request(path: string): string {
  const line = `        const response = await http.get(${JSON.stringify(path)});`;
  if (line.length <= maxLineWidth) return line;
  return `        const response = await http.get(\n          ${JSON.stringify(path)},\n        );`;
}

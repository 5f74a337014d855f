import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { formatText } from "../../../../tools/format-text.mjs";
import { readDeclarations } from "./read-declarations.ts";
import { namesWithin, renderErrors, renderReference, renderTypes, type Chapter } from "./render-reference.ts";

const root = join(import.meta.dirname, "../../../..");
const source = join(root, "packages/sdk/src");
const declarations = readDeclarations(source);

const generated =
  "<!-- Written by packages/cli/test/docs/reference-pages.test.ts from the comments of the types. -->";

const testChapters: readonly Chapter[] = [
  {
    title: "The test",
    words:
      'The argument of `defineTest`. "May be a function" means a function of the environment variables: `({ env }) => env.USERS`.',
    isGiven: true,
    names: ["TestDefinition", "EnvDeclaration", "MetricDeclaration", "ThresholdOptions"],
  },
  {
    title: "Scenarios",
    words: "[Executors](executors.md) explains when to use which.",
    isGiven: true,
    names: [
      "ScenarioBase",
      "ConstantVus",
      "RampingVus",
      "Stage",
      "PerVuIterations",
      "SharedIterations",
      "OpenModel",
      "ConstantArrivalRate",
      "RampingArrivalRate",
    ],
  },
  {
    title: "Data",
    words: "[Data](data.md) has examples.",
    isGiven: true,
    names: ["FeedOptions", "CsvOptions"],
  },
  {
    title: "HTTP options",
    words:
      "For the test (`http`), a scenario or, where it also has them, a request. [Requests](http.md) has examples.",
    isGiven: true,
    names: [
      "HttpOptions",
      "Timeouts",
      "DnsOptions",
      "TlsOptions",
      "TlsClient",
      "StatusRange",
      "BasicAuth",
      "BearerAuth",
      "DigestAuth",
      "AwsAuth",
    ],
  },
  {
    title: "Request options",
    words: "The second argument of `http.get` and the others.",
    isGiven: true,
    names: [
      "RequestOptions",
      "BatchRequestOptions",
      "MultipartFile",
      "MultipartContent",
      "CookieOptions",
      "FetchOptions",
    ],
  },
  {
    title: "bearhug.config.ts",
    words:
      "The argument of `defineConfig`. [Several tests](several-tests.md#bearhugconfigts) has an example.",
    isGiven: true,
    names: ["Config"],
  },
  {
    title: "The parameter of `exec`",
    words: "What an iteration works with.",
    isGiven: false,
    names: [
      "Context",
      "SetupContext",
      "TeardownContext",
      "VuStateContext",
      "Http",
      "CookieJar",
      "VirtualUser",
      "Iteration",
      "IterationTags",
      "Metric",
      "FeedHandle",
      "Random",
      "Log",
    ],
  },
  {
    title: "Responses",
    words: "What a request resolves to.",
    isGiven: false,
    names: [
      "Response",
      "ResponseHeaders",
      "HttpErrorInfo",
      "RequestPhases",
      "Timings",
      "ExchangeSize",
      "ConnectionInfo",
      "TlsInfo",
    ],
  },
  {
    title: "Reports of your own",
    words: "[Reports](reports.md#your-own) has examples.",
    isGiven: false,
    names: [
      "SummaryParts",
      "Reporter",
      "IntervalSnapshot",
      "ScenarioSnapshot",
      "ErrorCount",
      "ThresholdStanding",
    ],
  },
];

/** Errors that never reach a test's code: they become problems of the test. */
const caughtErrors: ReadonlySet<string> = new Set(["MetricSelectorSyntaxError", "ThresholdSyntaxError"]);

test("docs/test-reference.md matches the SDK's types (vitest --update rewrites it)", async () => {
  const errors = [...declarations.values()]
    .filter(({ name, code }) => code !== null && !caughtErrors.has(name))
    .map(({ name }) => name);
  const page = [
    renderReference(
      `# Tests\n\n${generated}\n\nEvery option of a test, and everything that its functions get. Your editor shows the same texts.`,
      testChapters,
      declarations,
    ),
    "## Types with names",
    renderTypes(declarations, [
      "Duration",
      "Tags",
      "Checks",
      "Stages",
      "HeaderFields",
      "Auth",
      "RequestUrl",
      "Fields",
      "FieldValue",
      "MultipartFields",
      "MultipartValue",
      "BatchRequest",
      "Send",
      "FeedOrder",
      "FeedFile",
      "EnvType",
      "MetricType",
      "Extractor",
      "Summarize",
      "Summary",
      "HttpPhase",
    ]),
    "## Errors that are thrown",
    "Failed requests have [codes of their own](errors.md). These are thrown, and have a `code`, too:",
    renderErrors(declarations, errors.toSorted()),
  ].join("\n\n");
  const file = join(root, "docs/test-reference.md");
  await expect(await formatText(file, page)).toMatchFileSnapshot(file);
});

test("docs/result-reference.md matches the types of the result (vitest --update rewrites it)", async () => {
  const names = namesWithin("TestResult", declarations).filter(
    (name) => (declarations.get(name)?.members.length ?? 0) > 0,
  );
  const page = renderReference(
    `# Result document\n\n${generated}\n\nEvery field of the document that \`--out json\` writes. Times are milliseconds unless a name says otherwise. [Reports](reports.md#json) explains how to use it.`,
    [{ title: "The document", words: "", isGiven: false, names }],
    declarations,
  );
  const file = join(root, "docs/result-reference.md");
  await expect(await formatText(file, page)).toMatchFileSnapshot(file);
});

test("docs/test-reference.md has every interface that authors of tests can import", () => {
  const index = readFileSync(join(source, "index.ts"), "utf8");
  const exported = [...index.matchAll(/\{([^}]*)\} from "\.\/(?!result\/)/g)]
    .flatMap(([, names = ""]) => names.split(","))
    .map((name) => name.trim())
    .filter((name) => {
      const declaration = declarations.get(name);
      return declaration?.code === null && declaration.type === "";
    });
  const shown = testChapters.flatMap(({ names }) => names);
  // These are left out: they only type other types, or have no options to choose.
  const others = ["BearhugError", "Feed", "RowSchema", "Test", "Problem", "UndiciDispatcher"];
  expect(exported.filter((name) => !shown.includes(name)).toSorted()).toEqual(others.toSorted());
});

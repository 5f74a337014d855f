import js from "@eslint/js";
import type { Linter } from "eslint";
import type { OxlintConfig, OxlintOverride } from "oxlint";
import tseslint from "typescript-eslint";

const tests = ["packages/*/test/**", "examples/**/*.test.ts", "bench/test/**"];
const fixtures = ["packages/*/test/**/fixtures/**"];
/** Folders that run during a load test: there time is an input, so that tests are tables and runs repeat. */
const engine = [
  "packages/{metrics,http}/src/**",
  "packages/plan/src/{executors,pacing,protocol,test-file}/**",
  "packages/engine/src/{health,run,worker}/**",
];
const clockDoors = ["packages/plan/src/pacing/clock.ts", "packages/http/src/exchange/exchange.ts"];
const outputDoors = [
  "packages/{cli,mcp}/src/main.ts",
  "packages/cli/src/commands/**",
  "packages/report/src/**",
];
/** Folders that handle what a target sent, a test threw or somebody named: it may hold secrets. */
const toldOfTargets = [
  "packages/{metrics,http}/src/**",
  "packages/plan/src/{executors,protocol}/**",
  "packages/engine/src/{run,worker}/**",
];
/** Puts the mask before what a test prints. */
const outputMask = "packages/engine/src/worker/masked-output.ts";

const doubleAssertion = {
  selector: "TSAsExpression > TSAsExpression > TSUnknownKeyword",
  message: "`as unknown as` tells the compiler a lie: parse the value, or narrow it.",
};
/** oxlint's no-meaningless-void-operator reads only calls. */
const voidOfValue = {
  selector:
    "UnaryExpression[operator='void']:not([argument.type=/^(CallExpression|ChainExpression|AssignmentExpression)$/], [argument.value=0])",
  message: "`void` does nothing here: only a promise that nobody awaits needs it.",
};
/** zod names itself `z` in an object that holds its messages in 50 languages, too: no bundler can leave them out of that. */
const zodByName = {
  selector: "ImportDeclaration[source.value='zod'] > :not(ImportNamespaceSpecifier)[local]",
  message: '`import { z }` brings zod\'s 50 languages: write `import * as z from "zod"`.',
};
/** `z.ZodType` takes a schema that reads less than its type: a list that is written beside the type may lack a member. */
const unnamedList = {
  selector: "CallExpression[callee.object.name='z'][callee.property.name='enum'] > ArrayExpression.arguments",
  message: "Name the list, `as const`, and let the type follow from it: `(typeof list)[number]`.",
};
/** It holds lines together and nothing else. */
const spreadLiteral = [
  "ObjectExpression > SpreadElement > ObjectExpression",
  "ArrayExpression > SpreadElement > ArrayExpression",
].map((selector) => ({ selector, message: "Write the members where they are spread." }));
const privateGetter = {
  selector: "MethodDefinition[kind='get'] > PrivateIdentifier.key",
  message:
    "V8 calls its runtime for each read of a private getter, also in optimized code: make it a method.",
};
const everywhere = [doubleAssertion, voidOfValue, zodByName, privateGetter, ...spreadLiteral];
const inSources = [...everywhere, unnamedList];
const standardStreams = {
  selector: "MemberExpression[object.name='process'][property.name=/^(stdout|stderr)$/]",
  message: "Only main, commands/ and reporters/ write to the terminal: hand the words to them.",
};
/** A text that is cut may be cut within a secret, which no mask finds then. */
const cutTexts = [
  "Literal[value=/…$/]",
  "TemplateElement[value.raw=/^…|…$/]",
  "CallExpression[callee.property.name=/^(slice|substring|substr)$/][arguments.0.value=0] > Identifier.arguments[name=/shown|quoted|longest|characters/i]",
].map((selector) => ({
  selector,
  message:
    "What is shown is cut by the mask, once its secrets are out: use foreign-text.ts, or mask.excerpt.",
}));
const newDate = {
  selector: "NewExpression[callee.name='Date'][arguments.length=0]",
  message: "Time comes from pacing/clock, handed in.",
};
const timers = ["setTimeout", "setInterval", "setImmediate"].map((name) => ({
  name,
  message: "Timers come from pacing/clock, handed in.",
}));
const clocks = [
  { object: "Date", property: "now" },
  { object: "performance", property: "now" },
  { object: "performance", property: "timeOrigin" },
  { object: "process", property: "hrtime" },
].map((clock) => ({ ...clock, message: "Time comes from pacing/clock, handed in." }));

type Rules = NonNullable<OxlintOverride["rules"]>;

/** Refuses a whole file, even an empty one: what is wrong is its name. */
const refuseFile = (message: string): Rules => ({
  "eslint-js/no-restricted-syntax": ["error", { selector: "Program", message }],
});

interface Preset {
  files?: (string | string[])[] | undefined;
  rules?: Partial<Linter.RulesRecord> | undefined;
}

/** Rules that oxlint lacks or gets wrong: it runs ESLint's own. */
const eslintRules = ["no-dupe-args", "no-octal", "no-restricted-syntax", "no-unused-private-class-members"];

/** oxlint lacks it, and it reads types: ESLint checks it every night (tools/eslint.config.js). */
const checkedAtNight = "@typescript-eslint/no-unsafe-class-instance-assignment";

/** The rules of a preset for ESLint, as oxlint names them. */
function fromPreset({ files = ["**"], rules = {} }: Preset): { files: string[]; rules: Rules } {
  const core = js.configs.recommended.rules;
  // typescript-eslint replaces some of ESLint's rules by its own. oxlint has one rule for both.
  const isReplaced = (name: string) =>
    rules[name] === "off" && (!(name in core) || `@typescript-eslint/${name}` in rules);
  const named: Rules = {};
  for (const [name, setting] of Object.entries(rules))
    if (setting !== undefined && name !== checkedAtNight && !isReplaced(name))
      named[eslintRules.includes(name) ? `eslint-js/${name}` : name] = setting;
  return { files: files.flat(), rules: named };
}

const typeChecked = [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked];
const { rules: typed } = tseslint.configs.disableTypeChecked;
/** Switches off the rules that read types. */
const withoutTypes = Object.fromEntries(
  typeChecked.flatMap(({ rules = {} }) =>
    Object.keys(rules)
      .filter((name) => name !== checkedAtNight && typed !== undefined && name in typed)
      .map((name) => [name, "off" as const]),
  ),
);

const config: OxlintConfig = {
  plugins: ["typescript"],
  jsPlugins: [{ name: "eslint-js", specifier: "oxlint-plugin-eslint" }, "./tools/oxlint-plugin.js"],
  // Each rule is named here or by a preset.
  categories: { correctness: "off" },
  options: { typeAware: true, respectEslintDisableDirectives: false, maxWarnings: 0 },
  ignorePatterns: [
    "**/dist/",
    "**/coverage/",
    ".stryker-tmp/",
    "packages/*/test/**/golden/",
    // Written for programs of others, whose types are not installed here.
    "packages/cli/test/peers/applications/*/*/",
    "packages/cli/test/peers/applications/*/*.js",
  ],
  overrides: [
    ...[js.configs.recommended, ...typeChecked].map(fromPreset),
    {
      files: ["**"],
      rules: {
        // A rule is changed here, with its reason, for everyone; never beside the line that breaks it.
        "bearhug/no-inline-config": "error",
        "no-undef": "off",
        eqeqeq: "error",
        "eslint-js/no-restricted-syntax": ["error", ...everywhere],
        "max-lines": ["error", { max: 600, skipBlankLines: true, skipComments: true }],
        "max-lines-per-function": ["error", { max: 80, skipBlankLines: true, skipComments: true }],
        "max-depth": ["error", 4],
        "@typescript-eslint/switch-exhaustiveness-check": "error",
        // An arrow that hands on a call's nothing is shorter than its braces, and no less clear.
        "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
        // Numbers read in a sentence as what they are; objects, null and undefined do not.
        "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
        // An index signature's key has a name, and the name says what the key is.
        "@typescript-eslint/consistent-indexed-object-style": "off",
        // `isolatedDeclarations` wants a field's type on its left, local variables read better with it on the right.
        "@typescript-eslint/consistent-generic-constructors": "off",
        // Left out on purpose (`const { secret, ...rest }`), or there to hold a later argument's place.
        "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true, argsIgnorePattern: "^_" }],
      },
    },
    {
      files: ["packages/*/src/**"],
      rules: {
        "no-console": "error",
        "bearhug/no-dangling-of": "error",
        "eslint-js/no-restricted-syntax": ["error", ...inSources, standardStreams],
      },
    },
    {
      files: ["packages/sdk/src/**"],
      rules: {
        // `Record<never, never>`, "declares none", is where the inference of metrics and data starts.
        "@typescript-eslint/no-generated-empty-object-type": "off",
      },
    },
    {
      // `response.json<User>()`: the author's word for what the target sends, as in every HTTP client.
      files: ["packages/sdk/src/http/response.ts", "packages/http/src/**"],
      rules: { "@typescript-eslint/no-unnecessary-type-parameters": "off" },
    },
    { files: outputDoors, rules: { "eslint-js/no-restricted-syntax": ["error", ...inSources] } },
    {
      files: engine,
      excludeFiles: clockDoors,
      rules: {
        "no-restricted-globals": ["error", ...timers],
        "no-restricted-properties": ["error", ...clocks],
        "eslint-js/no-restricted-syntax": ["error", ...inSources, standardStreams, newDate],
      },
    },
    {
      files: toldOfTargets,
      excludeFiles: clockDoors,
      rules: {
        "eslint-js/no-restricted-syntax": ["error", ...inSources, standardStreams, newDate, ...cutTexts],
      },
    },
    {
      files: [outputMask],
      rules: { "eslint-js/no-restricted-syntax": ["error", ...inSources, newDate, ...cutTexts] },
    },
    {
      files: tests,
      rules: {
        // A `describe` is a function only to the parser.
        "max-lines-per-function": "off",
        // In a test a wrong `!` is a failure with a line number, which is what a test is for.
        "@typescript-eslint/no-non-null-assertion": "off",
        // Doubles fill places: they need no body and no await.
        "@typescript-eslint/no-empty-function": "off",
        "@typescript-eslint/require-await": "off",
      },
    },
    {
      // What users do wrong, written down: throwing what is no error, waiting for nothing, looping for ever.
      files: fixtures,
      rules: {
        "no-constant-condition": "off",
        "@typescript-eslint/no-unnecessary-condition": "off",
        "@typescript-eslint/only-throw-error": "off",
      },
    },
    {
      // A scenario is async because it may wait, not because this one does.
      files: ["examples/**"],
      rules: { "@typescript-eslint/require-await": "off" },
    },
    {
      // Elsewhere TypeScript checks JavaScript, too (tsconfig.json): it knows which names exist.
      files: ["packages/*/bin/*.js"],
      rules: { "no-undef": "error" },
    },
    {
      // Must be readable by any Node, however old, and belongs to no TypeScript project.
      files: ["packages/cli/bin/*.js"],
      globals: { process: "readonly" },
      rules: { ...withoutTypes, "no-var": "off" },
    },
    {
      files: ["**/{,*-}{util,utils,helper,helpers,common,manager,base,misc}.{ts,mts,js,mjs,cjs}"],
      rules: refuseFile("A drawer: name the file after the concept that it holds."),
    },
    {
      files: ["**/{util,utils,helper,helpers,common,manager,base,misc}/**/*.{ts,mts,js,mjs,cjs}"],
      rules: refuseFile("A drawer: name the folder after the stage or the concept."),
    },
    {
      files: ["packages/*/src/*/**/index.ts"],
      excludeFiles: ["packages/report/src/index.ts"],
      rules: refuseFile("A barrel inside a package hides who needs what: import the file itself."),
    },
    {
      files: ["{packages,examples,bench,tools}/**/*[A-Z_ ]*.{ts,mts,js,mjs,cjs}"],
      rules: refuseFile("Files are named in kebab-case, after their main export."),
    },
  ],
};

export default config;

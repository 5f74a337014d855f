import { readFileSync } from "node:fs";

import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const compiled = new Map<string, ValidateFunction>();

/** Validates a command's document against its published schema. Returns all errors. */
export function documentErrors(document: { readonly schema: string }): string[] {
  const [, name = ""] = /^bearhug\/(\w+)@1$/.exec(document.schema) ?? [];
  const compile = (schema: object): ValidateFunction =>
    new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
  return errorsBy(`cli/schemas/${name}.schema.json`, compile, document);
}

/** Validates a document against the SDK's published JSON schema of this name. Returns all errors. */
export function schemaErrors(name: string, document: unknown): string[] {
  return errorsBy(`sdk/${name}`, compile2020, document);
}

/** Compiling a schema takes far longer than validating a document by it. */
function errorsBy(path: string, compile: (schema: object) => ValidateFunction, document: unknown): string[] {
  const validate = compiled.get(path) ?? compile(read(path));
  compiled.set(path, validate);
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`);
}

function compile2020(schema: object): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

function read(path: string): object {
  return JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")) as object;
}

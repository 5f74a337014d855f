import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import ts from "typescript";

import { root } from "../../../../tools/workspace.mjs";

/**
 * A schema with an annotated type: `name: z.ZodType<Type> = schema`, or a function that returns such a
 * schema.
 */
interface Annotated {
  readonly name: string;
  readonly type: ts.TypeNode;
  readonly schemas: readonly ts.Expression[];
}

/**
 * Finds members of types that an annotated schema does not read, as `file name path`. TypeScript accepts such
 * a schema: a part of a union is assignable to the union, and an object to one with further optional
 * properties.
 */
export function unreadMembers(): string[] {
  const files = globSync("packages/*/src/**/*.ts", { cwd: root })
    .map((file) => join(root, file))
    .filter((file) => readFileSync(file, "utf8").includes("z.ZodType<"));
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const config = ts.getParsedCommandLineOfConfigFile(join(root, "packages/cli/tsconfig.json"), {}, host);
  const program = ts.createProgram(files, config?.options ?? {});
  const checker = program.getTypeChecker();
  return files.flatMap((file) =>
    annotatedIn(program.getSourceFile(file)).flatMap(({ name, type, schemas }) => {
      const wanted = checker.getTypeFromTypeNode(type);
      const perSchema = schemas.map((schema) => {
        const output = checker.getTypeAtLocation(schema).getProperty("_output");
        if (output === undefined) throw new TypeError(`${name} in ${file} has no schema`);
        return unread(checker, wanted, checker.getTypeOfSymbol(output), "");
      });
      return [...new Set(perSchema.flat())].map((path) => `${relative(root, file)} ${name}${path}`);
    }),
  );
}

function annotatedIn(node: ts.Node | undefined): Annotated[] {
  if (node === undefined) return [];
  const found: Annotated[] = [];
  if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
    const name = node.name.getText();
    const type = outputOf(node.type);
    if (type !== null) found.push({ name, type, schemas: [node.initializer] });
    const made = node.type && ts.isFunctionTypeNode(node.type) ? outputOf(node.type.type) : null;
    if (made !== null) found.push({ name, type: made, schemas: returnedBy(node.initializer) });
  }
  if (ts.isFunctionDeclaration(node)) {
    const type = outputOf(node.type);
    if (type !== null) found.push({ name: node.name?.text ?? "", type, schemas: returnedBy(node) });
  }
  ts.forEachChild(node, (child) => {
    found.push(...annotatedIn(child));
  });
  return found;
}

/** Returns the `Type` of `z.ZodType<Type>`; null for another type. */
function outputOf(node: ts.TypeNode | undefined): ts.TypeNode | null {
  if (node === undefined || !ts.isTypeReferenceNode(node) || node.typeName.getText() !== "z.ZodType")
    return null;
  return node.typeArguments?.[0] ?? null;
}

/** Returns the expressions that a function returns; for `once(() => schema)`, those of its argument. */
function returnedBy(node: ts.Node): ts.Expression[] {
  if (ts.isCallExpression(node)) return node.arguments.flatMap(returnedBy);
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return [node.body];
  const returned: ts.Expression[] = [];
  const visit = (child: ts.Node): void => {
    if (ts.isReturnStatement(child) && child.expression !== undefined) returned.push(child.expression);
    else if (!ts.isFunctionLike(child)) ts.forEachChild(child, visit);
  };
  ts.forEachChild(node, visit);
  return returned;
}

/**
 * Finds the unread members of a type. It compares part by part, because schemas read readonly lists as
 * mutable ones.
 */
function unread(checker: ts.TypeChecker, wanted: ts.Type, read: ts.Type, path: string): string[] {
  const readParts = partsOf(read);
  return partsOf(wanted).flatMap((part) => {
    // A default replaces an absent value, and a type parameter may have any schema.
    if ((part.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.TypeParameter)) !== 0) return [];
    if (checker.isTypeAssignableTo(part, read)) return [];
    const isList = (type: ts.Type): boolean => checker.isArrayType(type) || checker.isTupleType(type);
    const elementOf = (type: ts.Type): ts.Type[] =>
      [type.getNumberIndexType()].filter((element) => element !== undefined);
    const tries = isList(part)
      ? readParts
          .filter(isList)
          .map((list) =>
            elementOf(part).flatMap((element) =>
              elementOf(list).flatMap((readElement) => unread(checker, element, readElement, `${path}[]`)),
            ),
          )
      : readParts
          .filter((other) => isObject(part) && isObject(other) && !isList(other))
          .map((other) =>
            part.getProperties().flatMap((property) => {
              const inner = `${path}.${property.name}`;
              const symbol = other.getProperty(property.name);
              const readType =
                symbol === undefined ? other.getStringIndexType() : checker.getTypeOfSymbol(symbol);
              if (readType === undefined) return [inner];
              return unread(checker, checker.getTypeOfSymbol(property), readType, inner);
            }),
          );
    const [closest = [`${path} ${checker.typeToString(part)}`]] = tries.sort((a, b) => a.length - b.length);
    return closest;
  });
}

function partsOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

function isObject(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
}

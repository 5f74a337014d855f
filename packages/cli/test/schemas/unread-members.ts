import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { type Expression, type Node, type TypeNode } from "typescript-7.0/unstable/ast";
import * as is from "typescript-7.0/unstable/ast/is";
import { API, type Checker, type Type, TypeFlags } from "typescript-7.0/unstable/sync";

import { root } from "../../../../tools/workspace.mjs";

/**
 * A schema with an annotated type: `name: z.ZodType<Type> = schema`, or a function that returns such a
 * schema.
 */
interface Annotated {
  readonly name: string;
  readonly type: TypeNode;
  readonly schemas: readonly Expression[];
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
  const folder = mkdtempSync(join(tmpdir(), "bearhug-schemas-"));
  const api = new API();
  try {
    const config = join(folder, "tsconfig.json");
    const typeRoots = [join(root, "node_modules/@types")];
    const compilerOptions = { composite: false, rootDir: root, typeRoots };
    writeFileSync(
      config,
      JSON.stringify({
        extends: join(root, "packages/cli/tsconfig.json"),
        compilerOptions,
        files,
        include: [],
        references: [],
      }),
    );
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
    if (project === undefined) throw new TypeError("nothing was compiled");
    const { checker, program } = project;
    return files.flatMap((file) =>
      annotatedIn(program.getSourceFile(file)).flatMap(({ name, type, schemas }) => {
        const wanted = typeOf(checker.getTypeFromTypeNode(type));
        const perSchema = schemas.map((schema) => {
          const output = checker.getPropertyOfType(typeOf(checker.getTypeAtLocation(schema)), "_output");
          if (output === undefined) throw new TypeError(`${name} in ${file} has no schema`);
          return unread(checker, wanted, typeOf(checker.getTypeOfSymbol(output)), "");
        });
        return [...new Set(perSchema.flat())].map((path) => `${relative(root, file)} ${name}${path}`);
      }),
    );
  } finally {
    api.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function typeOf(type: Type | undefined): Type {
  if (type === undefined) throw new TypeError("the compiler knows no type");
  return type;
}

function annotatedIn(node: Node | undefined): Annotated[] {
  if (node === undefined) return [];
  const found: Annotated[] = [];
  if (is.isVariableDeclaration(node) && node.initializer !== undefined) {
    const name = node.name.getText();
    const type = outputOf(node.type);
    if (type !== null) found.push({ name, type, schemas: [node.initializer] });
    const made = node.type && is.isFunctionTypeNode(node.type) ? outputOf(node.type.type) : null;
    if (made !== null) found.push({ name, type: made, schemas: returnedBy(node.initializer) });
  }
  if (is.isFunctionDeclaration(node)) {
    const type = outputOf(node.type);
    if (type !== null) found.push({ name: node.name?.text ?? "", type, schemas: returnedBy(node) });
  }
  node.forEachChild((child) => {
    found.push(...annotatedIn(child));
  });
  return found;
}

/** Returns the `Type` of `z.ZodType<Type>`; null for another type. */
function outputOf(node: TypeNode | undefined): TypeNode | null {
  if (node === undefined || !is.isTypeReferenceNode(node) || node.typeName.getText() !== "z.ZodType")
    return null;
  return node.typeArguments?.[0] ?? null;
}

/** Returns the expressions that a function returns; for `once(() => schema)`, those of its argument. */
function returnedBy(node: Node): Expression[] {
  if (is.isCallExpression(node)) return node.arguments.flatMap(returnedBy);
  if (is.isArrowFunction(node) && !is.isBlock(node.body)) return [node.body];
  const returned: Expression[] = [];
  const visit = (child: Node): void => {
    if (is.isReturnStatement(child) && child.expression !== undefined) returned.push(child.expression);
    else if (!is.isFunctionLikeDeclaration(child)) child.forEachChild(visit);
  };
  node.forEachChild(visit);
  return returned;
}

/**
 * Finds the unread members of a type. It compares part by part, because schemas read readonly lists as
 * mutable ones.
 */
function unread(checker: Checker, wanted: Type, read: Type, path: string): string[] {
  const readParts = partsOf(read);
  return partsOf(wanted).flatMap((part) => {
    // A default replaces an absent value, and a type parameter may have any schema.
    if ((part.flags & (TypeFlags.Undefined | TypeFlags.TypeParameter)) !== 0) return [];
    if (checker.isTypeAssignableTo(part, read)) return [];
    const isList = (type: Type): boolean => checker.isArrayType(type) || checker.isTupleType(type);
    const elementOf = (type: Type): Type[] => indexedBy(checker, type, checker.getNumberType());
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
            checker.getPropertiesOfType(part).flatMap((property) => {
              const inner = `${path}.${property.name}`;
              const symbol = checker.getPropertyOfType(other, property.name);
              const [readType] =
                symbol === undefined
                  ? indexedBy(checker, other, checker.getStringType())
                  : [typeOf(checker.getTypeOfSymbol(symbol))];
              if (readType === undefined) return [inner];
              return unread(checker, typeOf(checker.getTypeOfSymbol(property)), readType, inner);
            }),
          );
    const [closest = [`${path} ${checker.typeToString(part)}`]] = tries.sort((a, b) => a.length - b.length);
    return closest;
  });
}

function partsOf(type: Type): readonly Type[] {
  return type.isUnionType() ? type.getTypes() : [type];
}

function isObject(type: Type): boolean {
  return (type.flags & (TypeFlags.Object | TypeFlags.Intersection)) !== 0;
}

/** Returns the type of a list's elements, or of an object's values; empty if it has none for such a key. */
function indexedBy(checker: Checker, type: Type, key: Type): Type[] {
  const info = checker.getIndexInfosOfType(type).find(({ keyType }) => keyType === key);
  return info === undefined ? [] : [info.valueType];
}

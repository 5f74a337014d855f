/** A node of a syntax tree, as far as both the compilers in JavaScript and the native one have it. */
export interface SyntaxNode {
  readonly kind: number;
  readonly expression?: SyntaxNode;
  readonly left?: SyntaxNode;
  readonly right?: SyntaxNode;
  readonly operatorToken?: SyntaxNode;
  readonly whenTrue?: SyntaxNode;
  readonly whenFalse?: SyntaxNode;
  readonly name?: SyntaxNode;
  readonly arguments?: readonly SyntaxNode[];
  readonly modifiers?: readonly SyntaxNode[];
  readonly moduleSpecifier?: SyntaxNode;
  getText(file: SourceText): string;
  getStart(file: SourceText): number;
  forEachChild(visit: (node: SyntaxNode) => void): unknown;
}

/** The root of a file's syntax tree. */
export interface SourceText extends SyntaxNode {
  readonly fileName: string;
  readonly isDeclarationFile: boolean;
  readonly text: string;
}

/** The numbers of the kinds of nodes that are asked for: they differ between versions of TypeScript. */
export type SyntaxKinds = Readonly<
  Record<
    | "ArrowFunction"
    | "AsyncKeyword"
    | "BinaryExpression"
    | "CallExpression"
    | "ConditionalExpression"
    | "ExpressionStatement"
    | "FunctionDeclaration"
    | "FunctionExpression"
    | "ImportDeclaration"
    | "MethodDeclaration"
    | "ParenthesizedExpression"
    | "PropertyAccessExpression",
    number
  >
>;

/** A type, as far as it is asked for its members. */
export interface CheckedType {
  /** The members of a union; absent for other types. */
  readonly types?: readonly CheckedType[];
  /** The same, of the native compiler. */
  getTypes?(): readonly CheckedType[];
}

/** The checker of a program. */
export interface TypeChecker {
  getTypeAtLocation(node: SyntaxNode): CheckedType | undefined;
  getPropertyOfType(type: CheckedType, name: string): unknown;
}

/** A program's files with their types. */
export interface CheckedProgram {
  readonly kinds: SyntaxKinds;
  readonly checker: TypeChecker;
  readonly files: readonly SourceText[];
}

/** The properties of a syntax tree's node that the JavaScript compilers and the native one share. */
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

/** The numbers of the node kinds in use, which differ between versions of TypeScript. */
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

/** A type, reduced to its members. */
export interface CheckedType {
  /** The members of a union; absent for other types. */
  readonly types?: readonly CheckedType[];
  /** Returns the members in the native compiler. */
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

import { parseSync, Visitor } from 'oxc-parser';

/** The imports of one file: the specifiers of every kind of import, and imports whose target cannot be read off the source. */
export interface FileImports {
  readonly specifiers: readonly string[];
  readonly computed: readonly string[];
  readonly comments: readonly string[];
}

interface Expression {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** The text of a string literal or of a template without holes. */
const literal = (node: unknown): string | undefined => {
  const { type, value, quasis } = node as { type?: string; value?: unknown; quasis?: readonly { readonly value: { readonly cooked: string | null } }[] };
  if (type === 'Literal' && typeof value === 'string') return value;
  if (type === 'TemplateLiteral' && quasis?.length === 1) return quasis[0]?.value.cooked ?? undefined;
  return undefined;
};

const LOADERS = new Set(['require', 'require.resolve', 'import.meta.resolve', 'process.getBuiltinModule', 'module.require']);

/** `require(…)`, `createRequire(…)(…)` and their kin, under whatever name the require was given. */
const isLoader = (callee: string, requires: ReadonlySet<string>): boolean =>
  LOADERS.has(callee) ||
  requires.has(callee) ||
  requires.has(callee.replace(/\.resolve$/, '')) ||
  /^(?:\w+\.)?createRequire\([^)]*(?:\([^)]*\))?[^)]*\)$/.test(callee);

export const importsOf = (file: string, source: string): FileImports => {
  const { program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message ?? ''}`);
  const specifiers: string[] = [];
  const computed: string[] = [];
  const requires = new Set<string>();
  const text = (node: Expression): string => source.slice(node.start, node.end);
  const take = (node: Expression): void => {
    const value = literal(node);
    if (value === undefined) computed.push(text(node));
    else specifiers.push(value);
  };
  new Visitor({
    ImportDeclaration: (node) => take(node.source),
    ExportAllDeclaration: (node) => take(node.source),
    ExportNamedDeclaration: (node) => node.source && take(node.source),
    ImportExpression: (node) => take(node.source),
    TSImportType: (node) => take(node.source),
    TSExternalModuleReference: (node) => take(node.expression),
    VariableDeclarator: (node) => {
      if (node.id.type === 'Identifier' && node.init && /^(?:\w+\.)?createRequire\(/.test(text(node.init))) requires.add(node.id.name);
    },
    CallExpression: (node) => {
      const [first] = node.arguments;
      if (first && isLoader(text(node.callee), requires)) take(first);
    },
  }).visit(program);
  return { specifiers, computed, comments: comments.map((comment) => comment.value) };
};

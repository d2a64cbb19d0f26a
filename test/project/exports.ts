import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';

type Program = ReturnType<typeof parseSync>['program'];

const root = path.resolve(import.meta.dirname, '../..');

export interface SourceFile {
  /** From the top of the repository, with forward slashes. */
  readonly path: string;
  readonly lines: number;
  /** Names that the file itself declares and exports. */
  readonly exported: readonly string[];
  /** Every name that the file declares: variables, parameters, functions, types and members, each once. */
  readonly declared: readonly string[];
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Names that a pattern binds: `{ a, b: [c = 1, ...d] }` binds a, c and d. */
function boundNames(pattern: unknown): string[] {
  if (!isNode(pattern)) return [];
  if (pattern['type'] === 'Identifier') return [String(pattern['name'])];
  const parts = [pattern['properties'], pattern['elements']].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...parts, pattern['value'], pattern['left'], pattern['argument']].flatMap(boundNames);
}

const MEMBER = /^(?:PropertyDefinition|MethodDefinition|TSPropertySignature|TSMethodSignature)$/;
const HAS_ID = /^(?:FunctionDeclaration|ClassDeclaration|TSInterfaceDeclaration|TSTypeAliasDeclaration|VariableDeclarator)$/;

function declaredNames(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(declaredNames);
  if (!isNode(value)) return [];
  const type = String(value['type']);
  const own = HAS_ID.test(type) ? boundNames(value['id']) : MEMBER.test(type) ? boundNames(value['key']) : [];
  const parameters = Array.isArray(value['params']) ? value['params'].flatMap(boundNames) : [];
  return [...own, ...parameters, ...Object.values(value).flatMap(declaredNames)];
}

function exportedNames({ body }: Program): string[] {
  return body.flatMap((statement) => {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null;
    if (!declared) return [];
    if (declared.type === 'VariableDeclaration') return declared.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
    return 'id' in declared && declared.id?.type === 'Identifier' ? [declared.id.name] : [];
  });
}

/** Every source file of the program with what it exports. */
export const sourceFiles = (): readonly SourceFile[] =>
  readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const source = readFileSync(file, 'utf8');
      const { program } = parseSync(file, source);
      return {
        path: path.relative(root, file).replaceAll(path.sep, '/'),
        lines: source.split('\n').length - 1,
        exported: exportedNames(program),
        declared: [...new Set(declaredNames(program.body))],
      };
    });

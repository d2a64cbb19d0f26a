import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';

const root = path.resolve(import.meta.dirname, '../..');

export interface SourceFile {
  /** From the top of the repository, with forward slashes. */
  readonly path: string;
  readonly lines: number;
  /** Names that the file itself declares and exports. */
  readonly exported: readonly string[];
}

function exportedNames(file: string, source: string): string[] {
  return parseSync(file, source).program.body.flatMap((statement) => {
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
      return { path: path.relative(root, file).replaceAll(path.sep, '/'), lines: source.split('\n').length - 1, exported: exportedNames(file, source) };
    });

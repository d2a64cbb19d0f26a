import { COMPATIBLE_ORCHESTRATORS, MODULE_VERSION } from './block.ts';
import { loadLayers, TOTAL_CHARACTERS, type LayerFile, type LayerSource } from './load.ts';
import { lastNotices } from './context-file.ts';
import { backupOf, beside, type MemoryFile, type Owner } from './memory-file.ts';

export interface DiagnosisRequest {
  readonly owner: Owner;
  readonly sources: readonly LayerSource[];
  readonly file: MemoryFile;
  readonly enabled: boolean;
  /** Why the settings cannot be read. */
  readonly unreadable?: string | undefined;
  readonly autoLoad: boolean;
  /** Why the folder of MEMORY.md cannot be written; undefined when it can. */
  readonly unwritable: string | undefined;
}

export interface Diagnosis extends Owner {
  readonly version: string;
  readonly orchestrators: readonly string[];
  readonly files: readonly LayerFile[];
  readonly memoryFile: string;
  readonly backup: string | null;
  readonly characters: number;
  readonly limit: number;
  readonly findings: readonly Advice[];
}

export interface Advice {
  readonly level: 'problem' | 'note';
  readonly what: string;
  readonly where?: string;
  readonly mend: string;
}

/** Explains why memory does not load, is too large or cannot be updated, and what looks wrong but is normal. */
export async function diagnose(request: DiagnosisRequest): Promise<Diagnosis> {
  const { owner, sources, file } = request;
  const { maxMemorySize } = file.settings;
  const { files } = await loadLayers(sources, maxMemorySize);
  const characters = files.reduce((sum, layer) => sum + layer.characters, 0);
  const backup = await file.read(backupOf(file));
  return {
    ...owner,
    version: MODULE_VERSION,
    orchestrators: COMPATIBLE_ORCHESTRATORS,
    files,
    memoryFile: file.absolute(file.place),
    backup: backup ? file.absolute(backupOf(file)) : null,
    characters,
    limit: maxMemorySize,
    findings: [
      ...switches(request),
      ...files.flatMap((layer) => layerAdvice(layer, maxMemorySize)),
      ...(characters > TOTAL_CHARACTERS
        ? [
            problem(
              `memory has ${characters} characters in all, more than ${TOTAL_CHARACTERS}`,
              'take out what is no longer true, or let an update compress it',
            ),
          ]
        : []),
      ...(request.unwritable === undefined ? [] : [problem(`MEMORY.md cannot be updated: ${request.unwritable}`, 'check the permissions of the folder')]),
      ...lastNotices((await file.read(beside(file, 'context.json')))?.text).map((notice) =>
        note(`the last update: ${notice}`, 'session logs lie beside MEMORY.md'),
      ),
      ...(backup ? [] : [note('there is no MEMORY.md.bak', 'normal on a first run: an update of an existing MEMORY.md makes it')]),
      note('a program that keeps a ContextInjector shows what it read first', 'clearCache() after an update makes it read again'),
    ],
  };
}

const problem = (what: string, mend: string): Advice => ({ level: 'problem', what, mend });
const note = (what: string, mend: string): Advice => ({ level: 'note', what, mend });

const switches = ({ enabled, unreadable, autoLoad }: DiagnosisRequest): Advice[] => {
  if (unreadable !== undefined) return [problem(`${unreadable}: nothing is loaded, injected or updated`, 'fix the file or delete it')];
  if (!enabled) return [problem('enabled is false: nothing is loaded, injected or updated', 'holdfast config set enabled true')];
  return autoLoad ? [] : [note('autoLoad is false: nothing is loaded when a session starts', 'holdfast config set autoLoad true')];
};

function layerAdvice({ name, file, state, characters }: LayerFile, limit: number): Advice[] {
  if (state === 'unreadable') return [problem(`${file} cannot be read`, 'check its permissions, and that it is a file')];
  if (state === 'unmerged')
    return [
      { ...problem(`git left conflict markers in ${file}, which is not used meanwhile`, 'remove the markers in an editor, then git add it'), where: file },
    ];
  if (state === 'shortened') return [problem(`${file} has ${characters} characters and maxMemorySize is ${limit}`, 'shorten it, or raise maxMemorySize')];
  return state === 'absent' && name === 'project_memory'
    ? [note(`there is no ${file} yet`, 'holdfast update writes it; check path and hash if you expected one')]
    : [];
}

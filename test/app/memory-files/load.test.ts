import { describe, expect, it } from 'vitest';
import { mergeLayers } from '../../../src/app/memory-files/layers.ts';
import { loadLayers, type LayerSource } from '../../../src/app/memory-files/load.ts';
import { charactersIn, firstCharacters } from '../../../src/app/memory-files/compress.ts';

const source = (name: LayerSource['name'], text: string | undefined): LayerSource => ({ name, file: `/home/${name}`, read: async () => text });

describe('a load', () => {
  it('reads all four sources at the same time', async () => {
    let open = 0;
    let most = 0;
    const slow = (name: LayerSource['name']): LayerSource => ({
      name,
      file: name,
      read: async () => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 10));
        open -= 1;
        return name;
      },
    });
    await loadLayers([slow('global_claude'), slow('global_memory'), slow('project_claude'), slow('project_memory')], 100);
    expect(most).toBe(4);
  });

  it('answers under four fixed keys and leaves out what does not exist', async () => {
    const all = (['global_claude', 'global_memory', 'project_claude', 'project_memory'] as const).map((name) => source(name, name));
    expect(Object.keys((await loadLayers(all, 100)).layers)).toEqual(['global_claude', 'global_memory', 'project_claude', 'project_memory']);
    const some = await loadLayers([source('global_claude', undefined), source('project_memory', '')], 100);
    expect(some.layers).toEqual({ project_memory: '' });
    expect(some.warnings).toEqual([]);
  });

  it('takes a file of exactly the limit whole, and shortens a larger one with a notice in the text and a warning', async () => {
    const exact = await loadLayers([source('project_memory', 'x'.repeat(50_000))], 50_000);
    expect(exact.layers.project_memory).toBe('x'.repeat(50_000));
    expect(exact.files[0]?.state).toBe('loaded');
    const more = await loadLayers([source('project_memory', `# Top\n\n${'line of text\n'.repeat(5_000)}`)], 50_000);
    const text = more.layers.project_memory ?? '';
    expect(charactersIn(text)).toBeLessThanOrEqual(50_000);
    expect(charactersIn(text)).toBeGreaterThan(49_000);
    expect(text).toMatch(/^# Top\n\nline of text\n/);
    expect(text).toMatch(/\nline of text\n\n> \/home\/project_memory has 65007 characters and maxMemorySize is 50000: only a part of it is loaded\./);
    expect(more.warnings[0]).toContain('maxMemorySize is 50000');
    expect(more.files[0]).toMatchObject({ state: 'shortened', characters: 65_007 });
  });

  it('drops logs before anything else when it shortens', async () => {
    const text = `# A\nkeep\n## Build log\n${'noise\n'.repeat(500)}## Decisions\nUse SQLite\n`;
    const { layers } = await loadLayers([source('project_memory', text)], 1_000);
    expect(layers.project_memory).toContain('Use SQLite');
    expect(layers.project_memory).not.toContain('noise');
  });

  it('warns when everything together exceeds 50 KB', async () => {
    const { warnings } = await loadLayers([source('global_memory', 'a'.repeat(30_000)), source('project_memory', 'b'.repeat(30_000))], 50_000);
    expect(warnings).toEqual([expect.stringMatching(/^memory has 60000 characters in all, and more than 50000/)]);
  });

  it('survives a source that cannot be read, and says so', async () => {
    const broken: LayerSource = { name: 'global_memory', file: '/home/MEMORY.md', read: () => Promise.reject(new Error('EACCES')) };
    const { layers, warnings } = await loadLayers([broken, source('project_memory', 'here')], 100);
    expect(layers).toEqual({ project_memory: 'here' });
    expect(warnings).toEqual(['/home/MEMORY.md cannot be read: EACCES']);
  });

  it('counts letters, not halves of them', () => {
    expect(charactersIn('a😀é')).toBe(3);
    expect(charactersIn('\ud83d')).toBe(1);
    expect(firstCharacters('😀😀😀', 2)).toBe('😀😀');
  });
});

describe('merging', () => {
  it('puts the layers under their headings, weakest first, parted by a rule', () => {
    expect(mergeLayers({ project_memory: 'D', global_claude: 'A', project_claude: 'C', global_memory: 'B' })).toBe(
      '## Global Instructions\n\nA\n\n---\n\n## Global Memory\n\nB\n\n---\n\n## Project Instructions\n\nC\n\n---\n\n## Project Memory\n\nD',
    );
  });

  it('leaves no heading for an absent layer, and nothing for nothing', () => {
    expect(mergeLayers({ global_memory: 'B' })).toBe('## Global Memory\n\nB');
    expect(mergeLayers({})).toBe('');
  });
});

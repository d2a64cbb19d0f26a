import { describe, expect, it } from 'vitest';
import { REGISTRY } from '../../../src/edges/cli/registry.ts';
import { lastingProgram } from './program.ts';

const memory = lastingProgram();

describe.each(REGISTRY)('$name --help', ({ name }) => {
  it('shows its options and examples', () => {
    const { code, out, err } = memory.run(name, '--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(new RegExp(`^holdfast ${name}\\b[\\s\\S]*\\nGlobal options\\n[\\s\\S]*--json[\\s\\S]*\\nExamples\\n.*holdfast`));
  });
});

describe('the help', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']], [['--no-color']]])('of %j lists every command and the exit codes', (argv) => {
    const { code, out, err } = memory.run(...argv);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const { name } of REGISTRY) expect(out).toMatch(new RegExp(`^ {2}${name} +\\S`, 'm'));
    expect(out).toContain('Exit codes: 0 done, 1 refused by a rule, 2 wrong usage, 3 conflict, 4 not found, 5 input or output.');
  });

  it('of a command is the same by either name', () => {
    expect(memory.run('help', 'undo').out).toBe(memory.run('undo', '-h').out);
  });

  it('and the version keep to JSON when asked', () => {
    expect(memory.ask('search', '--help')).toEqual({ ok: true, help: expect.stringContaining('Examples') });
    expect(memory.ask('--version')).toEqual({ ok: true, version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  });
});

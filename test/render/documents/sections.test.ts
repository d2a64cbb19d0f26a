import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sectionBody, splitSections, withSection } from '../../../src/render/documents/sections.ts';

const NOTES = '# Map\n\nBy hand.\n\n## Projects\n- one\n\n```\n## Projects\n```\n\n### Smaller\ntext\n\n## Own words\nstay\n';

describe('a document in sections', () => {
  test('joined again is the document, whatever it holds', () => {
    const line = fc.constantFrom('## A', '##  B ##', '### c', '# t', '```', '~~~', '<!--', '-->', 'text', '', '- x', '##', '  ## d');
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.boolean(), (lines, eol, open) => {
        const source = lines.join(eol) + (open ? '' : eol);
        const { head, sections } = splitSections(source);
        expect(head + sections.map(({ heading, body }) => heading + body).join('')).toBe(source);
        for (const { title } of sections) expect(withSection(source, title, (body) => body)).toBe(source);
      }),
    );
  });

  test('is split at its own headings only', () => {
    expect(splitSections(NOTES).sections.map(({ title }) => title)).toEqual(['Projects', 'Own words']);
    expect(sectionBody(NOTES, 'projects')).toContain('### Smaller');
    expect(sectionBody(NOTES, 'absent')).toBeUndefined();
  });

  test('changes where it is asked to and nowhere else', () => {
    expect(withSection(NOTES, 'Projects', () => '- two')).toBe('# Map\n\nBy hand.\n\n## Projects\n- two\n\n## Own words\nstay\n');
    expect(withSection(NOTES, 'Own words', (body) => `${body}more`)).toBe(`${NOTES}more\n`);
    expect(withSection('# Map', 'New', () => 'x')).toBe('# Map\n\n## New\nx\n');
    expect(withSection('# Map\r\n\r\n## A\r\none\r\n', 'A', () => 'two\nthree')).toBe('# Map\r\n\r\n## A\r\ntwo\r\nthree\r\n');
  });
});

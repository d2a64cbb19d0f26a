import { describe, expect, it } from 'vitest';
import { hasConflictMarkers, markerLine, versionsIn, withoutMarkers } from '../../../src/core/record/conflict-markers.ts';

const MERGE = 'a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> topic\nd\n';
const DIFF3 = 'a\n<<<<<<< HEAD\nb\n||||||| 1234567\nx\n=======\nc\n>>>>>>> topic\nd\n';

describe('hasConflictMarkers', () => {
  it.each([
    ['a merge', MERGE],
    ['diff3', DIFF3],
    ['line ends of Windows', MERGE.replaceAll('\n', '\r\n')],
    ['a byte-order mark', `\uFEFF${MERGE.slice(2)}`],
    ['half: only the start', 'a\n<<<<<<< HEAD\nb\n'],
    ['half: only the end', 'a\n>>>>>>> topic\n'],
    ['no label', 'a\n<<<<<<<\nb\n=======\nc\n>>>>>>>\n'],
    ['longer markers', 'a\n<<<<<<<<<<< HEAD\nb\n===========\nc\n>>>>>>>>>>> topic\n'],
    ['a last line without an end', 'a\n>>>>>>> topic'],
  ])('sees %s', (_name, text) => {
    expect(hasConflictMarkers(text)).toBe(true);
    expect(hasConflictMarkers(withoutMarkers(text))).toBe(false);
  });

  it.each([
    ['a heading that is underlined', 'Title\n=======\ntext\n'],
    ['an indented example', '    <<<<<<< HEAD\n    b\n    =======\n    >>>>>>> topic\n'],
    ['a quote', '>>>>>> six deep\n'],
    ['a sentence', 'git writes <<<<<<< HEAD into the file\n'],
    ['a shell redirect', 'cat <<<<<<<EOF\n'],
  ])('leaves %s alone', (_name, text) => {
    expect(hasConflictMarkers(text)).toBe(false);
    expect(withoutMarkers(text)).toBe(text);
  });

  it('names the line', () => {
    expect(markerLine(MERGE)).toBe(2);
  });
});

describe('versionsIn', () => {
  it('gives back both files, and what they started from where git kept it', () => {
    expect(versionsIn(MERGE)).toEqual({ ours: 'a\nb\nd\n', theirs: 'a\nc\nd\n' });
    expect(versionsIn(DIFF3)).toEqual({ ours: 'a\nb\nd\n', theirs: 'a\nc\nd\n', base: 'a\nx\nd\n' });
    expect(versionsIn(MERGE.replaceAll('\n', '\r\n'))?.theirs).toBe('a\r\nc\r\nd\r\n');
    expect(versionsIn(MERGE + MERGE)?.ours).toBe('a\nb\nd\na\nb\nd\n');
  });

  it.each([
    ['an end that is missing', 'a\n<<<<<<< HEAD\nb\n=======\nc\n'],
    ['a middle that is missing', 'a\n<<<<<<< HEAD\nb\n>>>>>>> topic\n'],
    ['a start that is missing', 'a\n=======\nc\n>>>>>>> topic\n'],
    ['one conflict in another', '<<<<<<< a\n<<<<<<< b\nx\n=======\ny\n>>>>>>> b\n=======\nz\n>>>>>>> a\n'],
    ['two middles', '<<<<<<< a\nx\n=======\ny\n=======\nz\n>>>>>>> a\n'],
    ['no conflict', 'a\nb\n'],
  ])('gives up on %s', (_name, text) => {
    expect(versionsIn(text)).toBeUndefined();
  });

  it('takes longer markers inside the base for text', () => {
    const text = '<<<<<<< a\nx\n||||||| base\n<<<<<<<<< t1\n1\n=========\n2\n>>>>>>>>> t2\n=======\ny\n>>>>>>> b\n';
    expect(versionsIn(text)).toMatchObject({ ours: 'x\n', theirs: 'y\n' });
  });
});

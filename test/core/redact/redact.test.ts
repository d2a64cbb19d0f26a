import { describe, expect, test } from 'vitest';
import { redact } from '../../../src/core/redact/text.ts';
import { redactDeep } from '../../../src/core/redact/deep.ts';

/** In parts, so that no scanner takes this file for a leak. */
const PG = 'postgres:' + '//app:';

describe('private spans', () => {
  test.each([
    ['a <private>b</private> c', 'a [private] c'],
    ['a <PRIVATE>b</Private> c', 'a [private] c'],
    ['a <private>b\nc\n</private>\nd', 'a [private]\nd'],
    ['a <private>never closed, to the end', 'a [private]'],
    ['<private>a</private><private>b</private>', '[private][private]'],
    ['x <private>a <private>b</private> c</private> d', 'x [private] d'],
    ['x <private>a <private>b</private> c', 'x [private]'],
    ['{"a":"x \\u003cprivate\\u003ey\\u003c/private\\u003e z"}', '{"a":"x [private] z"}'],
    ['a stray </private> stays', 'a stray </private> stays'],
    ['static Local<Private> New();', 'static Local<Private> New();'],
    ['a Local<Private> holds <private>b</private> c', 'a Local<Private> holds [private] c'],
    ['a Local<Private> holds <private>b', 'a Local<Private> holds [private]'],
    ['a <private>b Local<Private> c</private> d', 'a [private]'],
    ['<private key> and <private-key> are placeholders', '<private key> and <private-key> are placeholders'],
  ])('%j', (text, expected) => {
    expect(redact(text).text).toBe(expected);
  });

  test('one that extends over items of a list is removed, also after a type with the name of the tag', () => {
    const { value } = redactDeep(['a Local<Private>', '<private>', 'b', '</private>']);
    expect(value).toEqual(['a Local<Private>', '[private]']);
  });

  test('a secret inside leaves no kind behind', () => {
    expect(redact('<private>password=hunter2</private>').redactions).toEqual([{ kind: 'private', start: 0, end: 35 }]);
  });
});

describe('what stays around a secret', () => {
  test.each([
    ['export DB_PASSWORD=hunter2 # local', 'export DB_PASSWORD=[redacted:password] # local'],
    ['{"password":"hunter2","user":"me"}', '{"password":"[redacted:password]","user":"me"}'],
    ['{"cmd":"export PGPASSWORD=\\"hunter2\\"\\nls"}', '{"cmd":"export PGPASSWORD=\\"[redacted:password]\\"\\nls"}'],
    [`${PG}hunter2@db:5432/shop?ssl=true`, `${PG}[redacted:connection-password]@db:5432/shop?ssl=true`],
    [`${PG}p@ss/w0rd@db/shop`, `${PG}[redacted:connection-password]@db/shop`],
    ['https://x.dev/a?user=me&password=letmein&next=1', 'https://x.dev/a?user=me&password=[redacted:password]&next=1'],
    ['curl -u me:hunter2 https://x.dev', 'curl -u me:[redacted:password] https://x.dev'],
    ['Server=db;Password=abc123;Encrypt=true', 'Server=db;Password=[redacted:password];Encrypt=true'],
    ['<password>letmein</password>', '<password>[redacted:password]</password>'],
    ["CREATE USER app WITH PASSWORD 'letmein';", "CREATE USER app WITH PASSWORD '[redacted:password]';"],
    ['- name: DB_PASSWORD\n  value: hunter2\n- name: X', '- name: DB_PASSWORD\n  value: [redacted:password]\n- name: X'],
    ['**Password:** hunter2\n', '**Password:** [redacted:password]\n'],
    ['db:\n  password: letmein\n  user: me', 'db:\n  password: [redacted:password]\n  user: me'],
    ['passphrase: correct horse battery staple\n', 'passphrase: [redacted:passphrase]\n'],
    ['machine x.dev\nlogin me\npassword qwerty\n', 'machine x.dev\nlogin me\npassword [redacted:password]\n'],
  ])('%j', (text, expected) => {
    expect(redact(text).text).toBe(expected);
  });

  test('a long value goes to its end', () => {
    const value = 'a1B2'.repeat(3000);
    expect(redact(`API_TOKEN=${value}\nnext`).text).toBe('API_TOKEN=[redacted:token]\nnext');
    expect(redact(`{"api_token": "${value}", "b": 1}`).text).toBe('{"api_token": "[redacted:token]", "b": 1}');
  });

  test('a token with a format of its own is named by it, whatever its name says', () => {
    const token = `gl${'pat-'}a1B2c3D4e5F6g7H8i9J0`;
    expect(redact(`password: "${token}"`).redactions).toEqual([{ kind: 'gitlab-token', start: 11, end: 37 }]);
  });
});

describe('structured values', () => {
  test('every string is redacted and its field named', () => {
    const token = `np${'m_'}${'a1B2c3'.repeat(6)}`;
    const { value, redactions } = redactDeep({ title: 't', content: { steps: [`use ${token}`, 'then rest'] }, tags: ['a'] });
    expect(value).toEqual({ title: 't', content: { steps: ['use [redacted:npm-token]', 'then rest'] }, tags: ['a'] });
    expect(redactions).toEqual([{ kind: 'npm-token', field: 'content.steps.0' }]);
  });

  test('a path leads the field names', () => {
    expect(redactDeep(['password=hunter2'], 'content.steps').redactions).toEqual([{ kind: 'password', field: 'content.steps.0' }]);
    expect(redactDeep('password=hunter2', 'title').redactions).toEqual([{ kind: 'password', field: 'title' }]);
  });

  test('the key of a field, or the name beside a value, tells what the value is', () => {
    const { value } = redactDeep({ db: { password: 'hunter2' }, env: [{ name: 'DB_PASSWORD', value: 'letmein' }], password: 'required' });
    expect(value).toEqual({ db: { password: '[redacted:password]' }, env: [{ name: 'DB_PASSWORD', value: '[redacted:password]' }], password: 'required' });
  });

  test('a secret in a key is redacted, and keys that become alike stay apart', () => {
    const { value, redactions } = redactDeep({ 'password=hunter2': 1, 'password=hunter3': 2 });
    expect(value).toEqual({ 'password=[redacted:password]': 1, 'password=[redacted:password] 2': 2 });
    expect(redactions.map((one) => one.kind)).toEqual(['password', 'password']);
  });

  test('what holds no secret comes back as it is', () => {
    const record = { title: 'A', n: 1, ok: true, none: null, list: [1, 'two'] };
    expect(redactDeep(record)).toEqual({ value: record, redactions: [] });
    expect(redactDeep(record).value).toBe(record);
  });

  test('what nests too deep to read is dropped, not kept', () => {
    const deep = JSON.parse('['.repeat(5000) + '"password=hunter2"' + ']'.repeat(5000)) as unknown;
    const { value, redactions } = redactDeep(deep);
    expect(redactions.map((one) => one.kind)).toEqual(['too-deep']);
    expect(JSON.stringify(value)).not.toContain('hunter2');
  });
});

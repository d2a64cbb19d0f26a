import { isSecret } from './judge.ts';
import { isExample, isReference } from './placeholder.ts';
import type { Rule } from './scan.ts';

/** Schemes whose addresses usually have a password, which may then contain a slash. */
const STORES =
  /^(?:jdbc:)?(?:postgres(?:ql)?|mysqlx?|mariadb|mongodb|rediss?|valkeys?|amqps?|mssql|sqlserver|oracle|clickhouse|cockroachdb|snowflake|kafka|nats|ldaps?|smtps?|imaps?|ftps?|sftp|couchdb|neo4j|bolt|cassandra|cloudinary|vertica|redshift)(?:\+[a-z0-9]+)?$/;

const LONGEST_SCHEME = 24;
const SCHEME = /(?:jdbc:)?[A-Za-z][A-Za-z0-9+.-]*$/;
const USER = /[^\s:/@"'`<>\\?#]{0,128}:/y;
const PLAIN = /[^\s/"'`<>\\?#]{1,1024}@/y;
const WITH_SLASH = /(?!\d{1,5}[/?])[^\s"'`<>\\]{1,1024}@(?=[A-Za-z0-9[$.-])/y;

/** Passwords that documentation writes; `postgres:postgres` is a default everyone knows. */
const DEFAULTS: ReadonlySet<string> = new Set([
  'password',
  'passwd',
  'pass',
  'pwd',
  'secret',
  'user',
  'username',
  'token',
  'pw',
  'p',
  'x',
  'xxx',
  'key',
  'port',
  'host',
]);
const KNOWN_USERS: ReadonlySet<string> = new Set(['postgres', 'guest', 'root', 'admin', 'user', 'test', 'mysql', 'mongo', 'redis']);

const hidden = (user: string, password: string, store: boolean): boolean => {
  // Documentation of addresses is full of `https://a:b@host`.
  if (!store && password.length < 4) return false;
  const lower = password.toLowerCase();
  if (DEFAULTS.has(lower) || (lower === user.toLowerCase() && KNOWN_USERS.has(lower))) return false;
  return !isReference(password) && !isExample(password) && !/^[*•.]+$|^<|^\[|^\{|^\$\{|^%s|^\(/.test(password);
};

/** `scheme://user:password@host`: only the password is redacted. */
const connection: Rule = {
  anchors: ['://'],
  named: true,
  match: (text, at) => {
    USER.lastIndex = at + 3;
    const user = USER.exec(text)?.[0];
    if (user === undefined) return undefined;
    const scheme = SCHEME.exec(text.slice(Math.max(0, at - LONGEST_SCHEME), at))?.[0].toLowerCase();
    if (scheme === undefined) return undefined;
    const store = STORES.test(scheme);
    const pattern = store ? WITH_SLASH : PLAIN;
    const start = at + 3 + user.length;
    pattern.lastIndex = start;
    const password = pattern.exec(text)?.[0].slice(0, -1);
    if (password === undefined || password.length === 0 || !hidden(user.slice(0, -1), password, store)) return undefined;
    return { kind: 'connection-password', start, end: start + password.length };
  },
};

const LINE = '[^\\n\\\\]{0,300}?';
const QUOTED_OR_BARE = String.raw`\\?["']?([^\s"'\\]{4,200})`;

/** A password on a program's command line. */
const command = (anchor: string, pattern: string, follow = ''): Rule => {
  const sticky = new RegExp(pattern + QUOTED_OR_BARE + follow, 'diy');
  return {
    anchors: [anchor],
    anyCase: true,
    named: true,
    match: (text, at) => {
      sticky.lastIndex = at;
      const place = sticky.exec(text)?.indices?.[1];
      if (place === undefined) return undefined;
      const [start, end] = place;
      return isSecret(text.slice(start, end), 'password', 'env') ? { kind: 'password', start, end } : undefined;
    },
  };
};

export const ADDRESS_RULES: readonly Rule[] = [
  connection,
  command('curl ', String.raw`curl(?=\s)${LINE}\s(?:-u|--user|--proxy-user)[ =]?\\?["']?[^\s:"'\\]{1,100}:`),
  command('wget ', String.raw`wget(?=\s)${LINE}\s--(?:http-|ftp-)?password[ =]`),
  command('sshpass ', String.raw`sshpass\s+-p\s*`),
  command('mysql', String.raw`mysql(?:dump|admin|import)?\s${LINE}\s-p(?=\S)`),
  command('ssh-keygen ', String.raw`ssh-keygen(?=\s)${LINE}\s-[NP]\s+`),
  command('zip ', String.raw`zip(?=\s)${LINE}\s-P\s*`),
  command('docker login', String.raw`docker login(?=\s)${LINE}\s-p\s+`),
  command('echo ', String.raw`echo\s+(?:-n\s+)?`, String.raw`\\?["']?\s*\|[^\n]{0,100}(?:--password-stdin|--stdin|sudo -S|chpasswd|-passin stdin)`),
  command('sudo -s', String.raw`sudo\s+-S\b[^\n]{0,80}<<<\s*`),
  command('identified ', String.raw`identified\s+(?:with\s+\S{1,40}\s+)?by\s+(?:password\s+)?(?=\\?')`),
  command('htpasswd ', String.raw`htpasswd\s+-[a-zA-Z]*n[a-zA-Z]*b?[a-zA-Z]*\s+\S{1,100}\s+`),
  command('htpasswd ', String.raw`htpasswd\s+-(?![a-zA-Z]*n)[a-zA-Z]*b[a-zA-Z]*\s+(?:-[a-zA-Z]+\s+)*\S{1,200}\s+\S{1,100}\s+`),
  command('net use ', String.raw`net use\s+(?:[A-Za-z*]:?\s+)?\\{2,8}[^\s]{1,200}\s+(?![/*])`),
  command('net use ', String.raw`net use\s[^\n]{0,200}?/user:\S{1,100}\s+(?![/*])`),
  command('net user ', String.raw`net user\s+\S{1,100}\s+(?![/*])`),
  command('smbclient ', String.raw`smbclient(?=\s)${LINE}\s-U\s*[^\s%]{1,100}%`),
  command('ldap', String.raw`ldap(?:search|modify|add|delete|whoami|passwd)(?=\s)${LINE}\s-w\s+`),
  command('freerdp', String.raw`freerdp(?=\s)${LINE}\s/p:`),
  command('7z ', String.raw`7z(?=\s)${LINE}\s-p(?=\S)`),
  command('sqlcmd ', String.raw`sqlcmd(?=\s)${LINE}\s-P\s+`),
  command('rabbitmqctl ', String.raw`rabbitmqctl\s+(?:add_user|change_password)\s+\S{1,100}\s+`),
  command('convertto-securestring ', String.raw`convertto-securestring\s+(?:-String\s+)?\\{0,2}(?=\\?["'])`),
  command('cmdkey ', String.raw`cmdkey(?=\s)${LINE}\s/pass:`),
  command('mongo', String.raw`mongo(?:sh|dump|restore|import|export)?(?=\s)${LINE}\s-p\s+`),
  command('sqlplus ', String.raw`sqlplus\s+(?:-\w+\s+)*[A-Za-z]\w{0,60}/`, String.raw`(?=@)`),
  command('redis-cli ', String.raw`redis-cli(?=\s)${LINE}\s-a\s+`),
];

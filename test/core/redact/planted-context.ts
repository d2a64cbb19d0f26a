import { randomFrom, type Planted } from './planted.ts';

/** Secrets that only their surroundings give away: cookies, command lines, prose in many languages, wallets, keys packed into YAML. Written before the rules. */

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const ALNUM = LOWER + UPPER + DIGITS;
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const SEED_WORDS =
  'abandon ability absent absorb abstract absurd access accident account achieve acid acoustic acquire across actress actual adapt addict admit adult advance advice aerobic afford again agent agree ahead alarm album alcohol alert alien alley allow almost alone alpha already alter always amateur amazing among amount amused analyst anchor ancient anger angle animal ankle zebra zone zoo'.split(
    ' ',
  );

export const plantInContext = (seed: number): Planted[] => {
  const random = randomFrom(seed);
  const pick = (length: number, from: string): string => Array.from({ length }, () => from[Math.floor(random() * from.length)]).join('');
  const password = (): string => `${pick(1, UPPER)}${pick(5, LOWER)}${pick(2, DIGITS)}${pick(1, '!#%*?_+')}${pick(4, ALNUM)}`;
  const phrase = (count: number): string[] => Array.from({ length: count }, () => SEED_WORDS[Math.floor(random() * SEED_WORDS.length)] ?? 'zoo');
  const pem = (kind: string): string =>
    Buffer.from(
      `-----BEGIN ${kind}PRIVATE KEY-----\n${Array.from({ length: 6 }, () => pick(64, `${ALNUM}+/`)).join('\n')}\n-----END ${kind}PRIVATE KEY-----\n`,
    ).toString('base64');
  const out: Planted[] = [];
  const add = (kind: string, needle: string | readonly string[], text: (secret: string) => string): void => {
    const needles = typeof needle === 'string' ? [needle] : needle;
    out.push({ kind, needles, text: text(needles[0] ?? '') });
  };
  const keyed = (kind: string, text: (whole: string) => string): void => {
    const whole = pem(kind);
    add('private-key', [whole, whole.slice(60, 120), whole.slice(-60)], text);
  };

  keyed('RSA ', (s) => `apiVersion: v1\nkind: Secret\ntype: kubernetes.io/tls\ndata:\n  tls.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==\n  tls.key: ${s}\n`);
  keyed('', (s) => `users:\n- name: admin\n  user:\n    client-key-data: ${s}\n`);
  keyed('EC ', (s) => `{"data":{"tls.key":"${s}"}}`);
  keyed('OPENSSH ', (s) => `ssh-privatekey: ${s}`);
  keyed('ENCRYPTED ', (s) => `echo ${s} | base64 -d > server.key`);

  add('session-cookie', pick(32, ALNUM), (s) => `Set-Cookie: sessionid=${s}; HttpOnly; Path=/; SameSite=Lax`);
  add('session-cookie', pick(26, LOWER + DIGITS), (s) => `Cookie: theme=dark; PHPSESSID=${s}; lang=en`);
  add('session-cookie', `s%3A${pick(32, ALNUM)}.${pick(43, ALNUM)}`, (s) => `curl -b 'connect.sid=${s}' https://app.acme.dev/me`);
  add('session-cookie', pick(32, `${UPPER}${DIGITS}`), (s) => `curl --cookie "JSESSIONID=${s}" https://erp.acme.dev/`);
  add('session-cookie', pick(48, ALNUM), (s) => `"cookie": "remember_me=1; auth_session=${s}"`);
  add('session-cookie', pick(24, LOWER + DIGITS), (s) => `set-cookie: ASP.NET_SessionId=${s}; path=/; HttpOnly`);
  add('session-cookie', pick(40, HEX), (s) => `< set-cookie: _gh_sess=${s}; path=/; secure`);

  for (const line of [
    'das Passwort ist %, bitte nicht weitergeben',
    'Das Passwort für den Staging-Server lautet %',
    'Kennwort: %',
    'le mot de passe est % pour le serveur',
    'Mot de passe : %',
    'mdp: %',
    'la contraseña es % por si la necesitas',
    'La contraseña del servidor de pruebas es %',
    'a senha do banco é %',
    'Senha: %',
    'la password del database è %',
    'het wachtwoord is %',
    'Wachtwoord voor de router: %',
    'hasło do bazy to %',
    'hasło: %',
    'пароль от сервера: %',
    'Пароль — %',
    '数据库密码是%，别外传',
    '密码：%',
    'パスワードは%です',
    'パスワード: %',
    '비밀번호는 % 입니다',
    'veritabanı şifresi: %',
    'şifre %',
    'lösenordet är %',
    'adgangskoden er %',
    'salasana on %',
    'heslo je %',
    'mật khẩu là %',
  ])
    add('password', password(), (s) => line.replace('%', s));

  add('password', password(), (s) => `root password ${s} works on all three boxes`);
  add('password', `${pick(6, LOWER)}${pick(4, DIGITS)}`, (s) => `log in with the admin password ${s}`);
  add('password', `${pick(5, LOWER)}-${pick(5, LOWER)}-${pick(2, DIGITS)}`, (s) => `wifi password ${s}`);
  add('password', password(), (s) => `htpasswd -b /etc/nginx/.htpasswd ann ${s}`);
  add('password', pick(10, ALNUM), (s) => `htpasswd -cbB .htpasswd ann '${s}'`);
  add('password', password(), (s) => `htpasswd -nb ann ${s}`);
  add('password', password(), (s) => String.raw`net use \\nas\share ${s} /user:ACME\ann`);
  add('password', password(), (s) => `Use ${s} as the admin password.`);
  add('password', password(), (s) => `${s} is our password for staging`);
  add('password', password(), (s) => `ConvertTo-SecureString "${s}" -AsPlainText -Force`);
  add('password', password(), (s) => `variable "db_password" {\n  type    = string\n  default = "${s}"\n}`);
  add('password', password(), (s) => String.raw`net use Z: \\nas\share /user:ann ${s}`);
  add('password', password(), (s) => `net user ann ${s} /add`);
  add('password', password(), (s) => `smbclient //nas/share -U ann%${s}`);
  add('password', password(), (s) => `ldapsearch -x -D cn=admin,dc=acme -w ${s} -b dc=acme`);
  add('password', password(), (s) => `xfreerdp /v:10.0.0.4 /u:ann /p:${s}`);
  add('password', password(), (s) => `7z x backup.7z -p${s}`);
  add('password', password(), (s) => `sqlcmd -S db -U sa -P ${s} -Q "select 1"`);
  add('password', password(), (s) => `rabbitmqctl add_user worker ${s}`);
  add('password', password(), (s) => `cmdkey /add:nas /user:ann /pass:${s}`);
  add('password', password(), (s) => `mongosh db:27017 -u root -p ${s}`);
  add('password', password(), (s) => `sqlplus shop/${s}@//db:1521/XE`);

  add('wallet-key', `xprv9s21ZrQH143K${pick(95, BASE58)}`, (s) => `export the account: ${s}`);
  add('wallet-key', `5${pick(1, 'HJK')}${pick(49, BASE58)}`, (s) => `bitcoin-cli importprivkey ${s}`);
  add('wallet-key', `${pick(1, 'KL')}${pick(51, BASE58)}`, (s) => `WIF: ${s}`);
  add('wallet-key', `0x${pick(64, HEX)}`, (s) => `metamask private key ${s}`);
  add('wallet-key', pick(64, HEX), (s) => `cast send --private-key ${s} 0xabc`);
  for (const [count, line] of [
    [12, 'seed phrase: %'],
    [24, 'my recovery phrase is % so keep it'],
    [12, 'MNEMONIC="%"'],
    [15, 'mnemonic: %'],
    [18, 'The wallet seed words are %'],
  ] as const) {
    const words = phrase(count);
    add('seed-phrase', [words.slice(0, 6).join(' '), words.slice(6, 12).join(' ')], () => line.replace('%', words.join(' ')));
  }
  const numbered = phrase(12);
  add(
    'seed-phrase',
    numbered
      .slice(0, 3)
      .map((word, nth) => `${nth + 1}. ${word}`)
      .join(' '),
    () => `Secret recovery phrase:\n${numbered.map((word, nth) => `${nth + 1}. ${word}`).join(' ')}`,
  );
  return out;
};

/** Secrets made at run time from parts, so that none stands in this source. */

/** A small repeatable generator (mulberry32): the same seed plants the same secrets. */
export const randomFrom = (seed: number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
};

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const ALNUM = LOWER + UPPER + DIGITS;
const URL64 = `${ALNUM}-_`;
const BASE64 = `${ALNUM}+/`;

export interface Planted {
  readonly kind: string;
  /** The text as it might stand in a transcript or a draft. */
  readonly text: string;
  /** Texts that must not be in the output. */
  readonly needles: readonly string[];
}

const b64 = (text: string): string => Buffer.from(text).toString('base64');
const b64url = (text: string): string => Buffer.from(text).toString('base64url');

/** Every planted secret of one seed: kind, needle and its surroundings. */
export const plant = (seed: number): Planted[] => {
  const random = randomFrom(seed);
  const pick = (length: number, from: string): string => Array.from({ length }, () => from[Math.floor(random() * from.length)]).join('');
  /** As people make passwords: a word, a number, a sign, more. */
  const password = (): string => `${pick(1, UPPER)}${pick(5, LOWER)}${pick(2, DIGITS)}${pick(1, '!#%*?_+')}${pick(4, ALNUM)}`;
  const out: Planted[] = [];
  const add = (kind: string, needle: string | readonly string[], text: (secret: string) => string): void => {
    const needles = typeof needle === 'string' ? [needle] : needle;
    out.push({ kind, needles, text: text(needles[0] ?? '') });
  };

  add('aws-access-key-id', `AK${'IA'}${pick(16, `${UPPER}234567`)}`, (s) => `aws configure list shows access_key ${s} for profile default`);
  add('aws-access-key-id', `AS${'IA'}${pick(16, `${UPPER}234567`)}`, (s) => `export AWS_ACCESS_KEY_ID=${s}\nexport AWS_REGION=eu-west-1`);
  add('aws-secret-key', pick(40, BASE64), (s) => `[default]\naws_secret_access_key = ${s}\nregion = eu-west-1`);
  add('aws-secret-key', pick(40, BASE64), (s) => `{"AccessKeyId": "x", "SecretAccessKey": "${s}"}`);
  add('github-token', `gh${'p_'}${pick(36, ALNUM)}`, (s) => `git clone https://${s}@github.com/acme/site.git`);
  add('github-token', `gh${'o_'}${pick(36, ALNUM)}`, (s) => `gh auth token printed ${s}.`);
  add('github-token', `gh${'s_'}${pick(36, ALNUM)}`, (s) => `GITHUB_TOKEN: ${s}`);
  add('github-token', `github${'_pat_'}${pick(22, ALNUM)}_${pick(59, ALNUM)}`, (s) => `const octokit = new Octokit({ auth: '${s}' });`);
  add('gitlab-token', `gl${'pat-'}${pick(20, URL64)}`, (s) => `curl --header "PRIVATE-TOKEN: ${s}" https://gitlab.example.org/api/v4/projects`);
  add('slack-token', `xo${'xb-'}${pick(12, DIGITS)}-${pick(13, DIGITS)}-${pick(24, ALNUM)}`, (s) => `slack.WebClient(token="${s}")`);
  add('slack-token', `xo${'xp-'}${pick(12, DIGITS)}-${pick(12, DIGITS)}-${pick(12, DIGITS)}-${pick(32, HEX)}`, (s) => `SLACK_USER=${s} npm run bot`);
  add(
    'slack-webhook',
    `T${pick(8, UPPER + DIGITS)}/B${pick(10, UPPER + DIGITS)}/${pick(24, ALNUM)}`,
    (s) => `curl -X POST https://hooks.slack.com/services/${s} -d @-`,
  );
  add('stripe-key', `sk_${'live_'}${pick(24, ALNUM)}`, (s) => `stripe.api_key = "${s}"`);
  add('stripe-key', `rk_${'test_'}${pick(24, ALNUM)}`, (s) => `| restricted | ${s} | staging |`);
  add('stripe-webhook-secret', `wh${'sec_'}${pick(32, ALNUM)}`, (s) => `stripe listen > Ready! Your webhook signing secret is ${s} (^C to quit)`);
  add('google-api-key', `AI${'za'}Sy${pick(33, URL64)}`, (s) => `<script src="https://maps.googleapis.com/maps/api/js?key=${s}&callback=init"></script>`);
  add('google-oauth-secret', `GOC${'SPX-'}${pick(28, URL64)}`, (s) => `"client_secret":"${s}","redirect_uris":["http://localhost"]`);
  add('google-oauth-token', `1/${'/0'}${pick(60, URL64)}`, (s) => `refresh_token: ${s}`);
  add('google-oauth-token', `ya${'29.'}${pick(80, URL64)}`, (s) => `Authorization: Bearer ${s}`);
  add('anthropic-key', `sk-${'ant-'}api03-${pick(93, URL64)}AA`, (s) => `ANTHROPIC_API_KEY=${s} claude -p hi`);
  add('openai-key', `sk-${'proj-'}${pick(74, URL64)}T3Blbk${'FJ'}${pick(74, URL64)}`, (s) => `client = OpenAI(api_key="${s}")`);
  add('openai-key', `sk${'-'}${pick(20, ALNUM)}T3Blbk${'FJ'}${pick(20, ALNUM)}`, (s) => `I pasted the key ${s}, can you check why it answers 401?`);
  add('huggingface-token', `h${'f_'}${pick(34, LOWER + UPPER)}`, (s) => `huggingface-cli login --token ${s}`);
  add('npm-token', `np${'m_'}${pick(36, ALNUM)}`, (s) => `//registry.example.org/:_authToken=${s}`);
  add('pypi-token', `py${'pi-'}AgEIcHlwaS5vcmc${pick(90, URL64)}`, (s) => `[pypi]\nusername = __token__\npassword = ${s}`);
  add('sendgrid-key', `S${'G.'}${pick(22, URL64)}.${pick(43, URL64)}`, (s) => `sgMail.setApiKey('${s}')`);
  add('twilio-key', `S${'K'}${pick(32, HEX)}`, (s) => `twilio api key ${s} created`);
  add('twilio-key', pick(32, HEX), (s) => `TWILIO_AUTH_TOKEN=${s}`);
  add('telegram-token', `${pick(10, '123456789')}:AA${pick(33, URL64)}`, (s) => `https://api.telegram.org/bot${s}/getMe`);
  add('discord-webhook', pick(68, URL64), (s) => `https://discord.com/api/webhooks/${pick(18, '123456789')}/${s}`);
  add('discord-token', `MT${pick(1, 'AEIMQUYcgk')}${pick(21, ALNUM)}.G${pick(5, ALNUM)}.${pick(38, URL64)}`, (s) => `client.login('${s}');`);
  add('digitalocean-token', `dop${'_v1_'}${pick(64, HEX)}`, (s) => `doctl auth init -t ${s}`);
  add('azure-storage-key', `${pick(86, BASE64)}==`, (s) => `DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=${s};EndpointSuffix=core.windows.net`);
  add(
    'azure-sas-signature',
    `${pick(20, ALNUM)}%2B${pick(22, ALNUM)}%3D`,
    (s) => `https://acme.blob.core.windows.net/c/f.zip?sv=2022-11-02&sr=b&sig=${s}&se=2027-01-01`,
  );
  add('azure-client-secret', `${pick(3, ALNUM)}8Q~${pick(34, `${ALNUM}_-`)}`, (s) => `az login --service-principal -u app -p ${s} --tenant t`);
  add(
    'jwt',
    `${b64url('{"alg":"HS256","typ":"JWT"}')}.${b64url(`{"sub":"${pick(8, DIGITS)}"}`)}.${pick(43, URL64)}`,
    (s) => `cookie: session=${s}; Path=/; HttpOnly`,
  );
  const pem = Array.from({ length: 6 }, () => pick(64, BASE64));
  add('private-key', pem, () => `-----BEGIN ${'RSA '}PRIVATE KEY-----\n${pem.join('\n')}\n${pick(20, BASE64)}==\n-----END ${'RSA '}PRIVATE KEY-----`);
  const openssh = Array.from({ length: 5 }, () => pick(70, BASE64));
  add(
    'private-key',
    openssh,
    () => `cat ~/.ssh/id_ed25519\n-----BEGIN ${'OPENSSH '}PRIVATE KEY-----\n${openssh.join('\n')}\n-----END ${'OPENSSH '}PRIVATE KEY-----\n$ `,
  );
  const cut = [...Array.from({ length: 3 }, () => pick(64, BASE64)), `${pick(20, ALNUM)}7Q`];
  add('private-key', cut, () => `head -5 server.key\n-----BEGIN ${'EC '}PRIVATE KEY-----\n${cut.join('\n')}`);
  const pgp = Array.from({ length: 4 }, () => pick(64, BASE64));
  add(
    'private-key',
    pgp,
    () => `-----BEGIN PGP ${'PRIVATE KEY'} BLOCK-----\nVersion: GnuPG v2\n\n${pgp.join('\n')}\n=${pick(4, ALNUM)}\n-----END PGP ${'PRIVATE KEY'} BLOCK-----`,
  );
  add('connection-password', password(), (s) => `DATABASE_URL=postgres://app:${encodeURIComponent(s)}@db.internal:5432/shop`);
  add('connection-password', pick(16, ALNUM), (s) => `mysql://root:${s}@10.0.0.4/shop?charset=utf8`);
  add('connection-password', pick(20, ALNUM), (s) => `mongoose.connect("mongodb+srv://svc:${s}@cluster0.abcde.mongodb.net/app")`);
  add('connection-password', pick(24, ALNUM), (s) => `redis-cli -u redis://:${s}@cache:6379/0 ping`);
  add('connection-password', pick(12, ALNUM), (s) => `amqps://worker:${s}@mq.internal/vhost`);
  add('connection-password', pick(18, ALNUM), (s) => `git remote set-url origin https://deploy:${s}@git.acme.dev/site.git`);
  add('authorization', pick(40, ALNUM), (s) => `curl -H "Authorization: Bearer ${s}" https://api.acme.dev/v1/me`);
  const basic = b64(`admin:${pick(10, ALNUM)}`);
  add('authorization', basic, (s) => `headers: { Authorization: 'Basic ${s}' }`);
  add('password', password(), (s) => `DB_PASSWORD=${s}`);
  add('password', password(), (s) => `{"user":"app","password":"${s}","host":"db"}`);
  add('password', password(), (s) => `database:\n  user: app\n  password: ${s}\n  pool: 5`);
  add('password', password(), (s) => `the staging password is ${s} in case you need it`);
  add('password', password(), (s) => `export PGPASSWORD='${s}'; psql -h db`);
  add('password', password(), (s) => `const conn = await connect({ user: 'sa', password: '${s}' });`);
  add('password', password(), (s) => `Server=tcp:db,1433;User ID=sa;Password=${s};Encrypt=true`);
  add('password', pick(12, ALNUM), (s) => `machine git.acme.dev login deploy password ${s}`);
  add('password', password(), (s) => `mysqldump -u root -p${s} shop > shop.sql`);
  add('password', password(), (s) => `curl -u admin:${s} https://nexus.acme.dev/status`);
  add('passphrase', password(), (s) => `Enter passphrase for key '/home/me/.ssh/id_ed25519': ${s}`);
  add('secret', pick(32, ALNUM), (s) => `jwt.sign(payload, process.env.JWT_SECRET || '${s}')`);
  add('secret', pick(40, HEX), (s) => `client_secret = "${s}"`);
  add('api-key', pick(32, HEX), (s) => `x-api-key: ${s}`);
  add('api-key', pick(32, ALNUM), (s) => `const apiKey = "${s}";`);
  add('token', pick(40, HEX), (s) => `"token": "${s}",`);
  add('token', `${pick(8, HEX)}-${pick(4, HEX)}-${pick(4, HEX)}-${pick(4, HEX)}-${pick(12, HEX)}`, (s) => `heroku auth:token => HEROKU_API_TOKEN=${s}`);
  add('credential', b64(`acme:${pick(12, ALNUM)}`), (s) => `{"auths":{"registry.acme.dev":{"auth":"${s}"}}}`);
  add('vault-token', `hv${'s.'}${pick(92, URL64)}`, (s) => `vault login ${s}`);
  add(
    '1password-token',
    `op${'s_'}${b64url(`{"signInAddress":"my.1password.com","secretKey":"${pick(40, ALNUM)}","x":"${pick(60, ALNUM)}"}`)}`,
    (s) => `OP_SERVICE_ACCOUNT_TOKEN=${s}`,
  );
  add('private', pick(12, LOWER), (s) => `My bank is <private>${s} and more</private>, keep going`);
  return out;
};

/** The ways a secret comes along in a transcript: as it is, quoted once or twice, in a diff, in a listing, at a line's end. */
export const SURROUNDINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  prose: (text) => `Here is what I ran:\n\n\`\`\`\n${text}\n\`\`\`\nIt works now; commit 3f2a9c1 has the change.`,
  'JSON line': (text) => JSON.stringify({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', content: text }] } }),
  'JSON in JSON': (text) => JSON.stringify({ line: JSON.stringify({ content: `before\n${text}\nafter` }) }),
  diff: (text) =>
    `@@ -1,3 +1,3 @@\n context\n${text
      .split('\n')
      .map((line) => `+${line}`)
      .join('\n')}\n context`,
  removed: (text) =>
    `@@ -1,3 +0,0 @@\n${text
      .split('\n')
      .map((line) => `-${line}`)
      .join('\n')}`,
  listing: (text) =>
    text
      .split('\n')
      .map((line, i) => `${String(i + 1).padStart(6)}→${line}`)
      .join('\n'),
  'CRLF line end': (text) => `first\r\n${text.replaceAll('\n', '\r\n')}\r\nlast`,
  indented: (text) =>
    text
      .split('\n')
      .map((line) => `      ${line}`)
      .join('\n'),
};

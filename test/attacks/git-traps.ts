import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A repository whose configuration starts a program that leaves `marker`, as soon as git does what `spring` does. */
export interface Trap {
  readonly set: (gitDir: string, program: string) => void;
  /** A command of the user's own git that runs into it, which shows that the trap works. Absent if it takes a terminal or a server. */
  readonly spring?: readonly string[];
}

const config = (gitDir: string, text: string): void => appendFileSync(join(gitDir, 'config'), `${text}\n`);

const env = (folder: string): Record<string, string> => ({ PATH: process.env['PATH'] ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' });

export function git(where: string, ...words: string[]): string {
  const settings = ['user.name=Test', 'user.email=test@example.org', 'init.defaultBranch=main', 'commit.gpgSign=false'];
  const all = [...settings.flatMap((setting) => ['-c', setting]), ...words];
  return execFileSync('git', all, { cwd: where, env: env(where), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** Git as a user runs it, whose failure does not matter here. */
export function gitAnyway(where: string, words: readonly string[]): void {
  try {
    execFileSync('git', words, { cwd: where, env: env(where), stdio: 'ignore', timeout: 100_000 });
  } catch {
    // The trap was the point.
  }
}

/** A checkout with three commits, the last of which has a signature, and attributes for every file. */
export function checkout(top: string): string {
  mkdirSync(top, { recursive: true });
  git(top, 'init', '--quiet');
  for (const text of ['one', 'two']) {
    writeFileSync(join(top, 'a.txt'), `${text}\n`);
    writeFileSync(join(top, '.gitattributes'), '* diff=evil filter=evil merge=evil\n');
    git(top, 'add', '.');
    git(top, 'commit', '--quiet', '-m', `Use ${text} in ${basename(top)}\n\nWe chose ${text} because the queue lost jobs.`);
  }
  const signature = '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n';
  const file = join(top, '.git', 'signed');
  writeFileSync(file, `${git(top, 'cat-file', 'commit', 'HEAD').replace('\n\n', signature)}\n`);
  git(top, 'update-ref', 'refs/heads/main', git(top, 'hash-object', '-t', 'commit', '-w', file));
  return top;
}

/** Takes the oldest commit away, as a partial clone lacks what it would fetch. */
function loseOldest(gitDir: string): void {
  const oldest = git(gitDir, '--git-dir=.', 'rev-list', '--max-parents=0', 'HEAD', '--');
  rmSync(join(gitDir, 'objects', oldest.slice(0, 2), oldest.slice(2)));
}

const promisor = (url: (program: string) => string, more = ''): Trap => ({
  set: (gitDir, program) => {
    loseOldest(gitDir);
    config(
      gitDir,
      `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\tpromisor = true\n\turl = ${url(program)}`,
    );
    config(gitDir, `[protocol]\n\tallow = always\n[protocol "ext"]\n\tallow = always\n${more.replaceAll('PROGRAM', program)}`);
  },
  spring: ['rev-list', 'HEAD'],
});

const setting = (text: string, spring?: readonly string[]): Trap => ({
  set: (gitDir, program) => config(gitDir, text.replaceAll('PROGRAM', program)),
  ...(spring && { spring }),
});

const hook = (gitDir: string, name: string, program: string): void => {
  mkdirSync(join(gitDir, 'hooks'), { recursive: true });
  writeFileSync(join(gitDir, 'hooks', name), `#!/bin/sh\nexec ${program}\n`);
  chmodSync(join(gitDir, 'hooks', name), 0o755);
};

export const PROMISOR = promisor((program) => `"ext::${program} %S"`);

/** Everything by which a repository of today's git starts a program of its choosing. */
export const TRAPS: readonly (readonly [string, Trap])[] = [
  ['a promisor remote with an ext:: URL', PROMISOR],
  ['a promisor remote over ssh with core.sshCommand', promisor(() => 'ssh://host.invalid/x', '[core]\n\tsshCommand = PROGRAM')],
  ['a promisor remote whose upload-pack is a program', promisor(() => '"file:///"', '[remote "origin"]\n\tuploadpack = PROGRAM')],
  [
    'a promisor remote that url.insteadOf turns into ext::',
    promisor(() => 'https://host.invalid/x', '[url "ext::PROGRAM %S "]\n\tinsteadOf = https://host.invalid/'),
  ],
  ['a promisor remote through a git proxy', promisor(() => 'git://host.invalid/x', '[core]\n\tgitProxy = PROGRAM')],
  ['core.fsmonitor', setting('[core]\n\tfsmonitor = PROGRAM', ['status'])],
  [
    'core.hooksPath',
    {
      set: (gitDir, program) => {
        hook(gitDir, 'post-index-change', program);
        config(gitDir, `[core]\n\thooksPath = ${join(gitDir, 'hooks')}`);
      },
      spring: ['read-tree', 'HEAD'],
    },
  ],
  ['a hook in the git directory', { set: (gitDir, program) => hook(gitDir, 'post-index-change', program), spring: ['read-tree', 'HEAD'] }],
  ['textconv by an attribute', setting('[diff "evil"]\n\ttextconv = PROGRAM', ['log', '-p'])],
  ['diff.external', setting('[diff]\n\texternal = PROGRAM', ['diff', 'HEAD~1', 'HEAD'])],
  ['a diff driver by an attribute', setting('[diff "evil"]\n\tcommand = PROGRAM', ['diff', 'HEAD~1', 'HEAD'])],
  ['gpg.program and log.showSignature', setting('[log]\n\tshowSignature = true\n[gpg]\n\tprogram = PROGRAM', ['log'])],
  ['gpg.ssh.program and log.showSignature', setting('[log]\n\tshowSignature = true\n[gpg]\n\tformat = openpgp\n[gpg "openpgp"]\n\tprogram = PROGRAM', ['log'])],
  ['an alias', setting('[alias]\n\thistory = !PROGRAM', ['history'])],
  ['a pager', setting('[core]\n\tpager = PROGRAM\n[pager]\n\tlog = PROGRAM\n\trev-list = PROGRAM')],
  ['a filter driver', setting('[filter "evil"]\n\tclean = PROGRAM\n\tsmudge = PROGRAM\n\trequired = true', ['hash-object', '--path=a.txt', 'a.txt'])],
  ['a filter process', setting('[filter "evil"]\n\tprocess = PROGRAM', ['hash-object', '--path=a.txt', 'a.txt'])],
  ['a merge driver', setting('[merge "evil"]\n\tdriver = PROGRAM')],
  ['a credential helper', setting('[credential]\n\thelper = !PROGRAM')],
  ['a command for alternate refs', setting('[core]\n\talternateRefsCommand = PROGRAM')],
  ['an editor', setting('[core]\n\teditor = PROGRAM\n[sequence]\n\teditor = PROGRAM', ['config', '--edit'])],
  [
    'a file that include.path names',
    {
      set: (gitDir, program) => {
        writeFileSync(join(gitDir, 'more'), `[core]\n\tfsmonitor = ${program}\n`);
        config(gitDir, '[include]\n\tpath = more');
      },
      spring: ['status'],
    },
  ],
  [
    'a file that includeIf names',
    {
      set: (gitDir, program) => {
        writeFileSync(join(gitDir, 'more'), `[core]\n\tfsmonitor = ${program}\n`);
        config(gitDir, '[includeIf "gitdir:**"]\n\tpath = more');
      },
      spring: ['status'],
    },
  ],
  [
    'config.worktree',
    {
      set: (gitDir, program) => {
        writeFileSync(join(gitDir, 'config.worktree'), `[core]\n\tfsmonitor = ${program}\n`);
        config(gitDir, '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true');
      },
      spring: ['status'],
    },
  ],
];

/** The bare repository of a checkout, as a folder that could be committed to another repository. */
export function bareCopy(top: string, target: string): string {
  mkdirSync(dirname(target), { recursive: true });
  execFileSync('cp', ['-r', join(top, '.git'), target]);
  return target;
}

/** A program that leaves a mark. */
export function markerProgram(folder: string): { readonly program: string; readonly ran: () => boolean; readonly clear: () => void } {
  const marks = join(folder, 'marks');
  mkdirSync(marks, { recursive: true });
  const program = join(folder, 'program.sh');
  writeFileSync(program, `#!/bin/sh\ntouch ${marks}/ran\nexit 1\n`);
  chmodSync(program, 0o755);
  return { program, ran: () => readdirSync(marks).length > 0, clear: () => existsSync(join(marks, 'ran')) && rmSync(join(marks, 'ran')) };
}

import fs from 'node:fs';

const commandOf = (pid: string): string => {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // Gone between listing and reading.
    return '';
  }
};

/** How many processes are finishing sessions of a home in this folder; only Linux tells. */
export const finishing = (folder: string): number =>
  process.platform === 'linux'
    ? fs
        .readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(commandOf)
        .filter((line) => line.includes('finish.js') && line.includes(folder)).length
    : 0;

import { nearestKey } from '../../core/config/nearest.ts';
import type { Command, Paint } from './command.ts';
import { commandHelp, overview } from './help.ts';
import { COMMANDS, GROUPS } from './table.ts';

/** What somebody who asks for help, or has misspelt a command, is told; nobody else waits for it to be loaded. */
export interface Guide {
  about(command: Command, paint: Paint): readonly string[];
  overview(version: string, paint: Paint): readonly string[];
  /** A hint for a word that is no command. */
  nearest(word: string): string;
}

export const guide: Guide = {
  about: commandHelp,
  overview: (version, paint) => overview(GROUPS, version, paint),
  nearest: (word) => {
    const names = COMMANDS.map((command) => command.name);
    const close = nearestKey(word, names) ?? names.find((one) => one.startsWith(word.slice(0, 3)));
    return close === undefined ? 'holdfast --help lists all commands' : `did you mean ${close}? holdfast --help lists all commands`;
  },
};

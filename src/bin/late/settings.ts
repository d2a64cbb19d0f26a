import { setConfig, unsetConfig } from '../../app/config/change.ts';
import { getConfig, listConfig } from '../../app/config/show.ts';
import type { ConfigFiles } from '../../core/config/ports.ts';
import { ok } from '../../core/result.ts';
import type { Settings } from '../../edges/cli/command.ts';

/** The settings of a project and its user, for the command that shows and changes them. */
export function settingsOver(files: ConfigFiles): Settings {
  return {
    list: () => listConfig(files).rows.map(({ key, value, source }) => ({ key, value, source })),
    get: (key) => {
      const found = getConfig(files, key);
      return found.ok ? ok({ value: found.value.value, source: found.value.source, about: found.value.about, takes: found.value.takes }) : found;
    },
    set: (key, value, level) => {
      const set = setConfig(files, { key, value, level });
      return set.ok ? ok({ value: set.value.now.value, file: set.value.place }) : set;
    },
    unset: (key, level) => {
      const unset = unsetConfig(files, { key, level });
      return unset.ok ? ok({ value: unset.value.now.value, file: unset.value.place }) : unset;
    },
    warnings: () => listConfig(files).warnings.map(({ key, level, message }) => `${level} setting ${key}: ${message}`),
  };
}

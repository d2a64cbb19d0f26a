import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadConfig } from '../../../src/app/config/load.ts';
import { configFiles } from '../../../src/adapters/files/config-files.ts';

import { parseActiveIndex } from '../../../src/render/views/recent-index.ts';
import { rebuild } from '../../../src/app/read/rebuild.ts';
import { composeMemory, type ComposedMemory } from '../../../src/app/memory/open.ts';
import { FileStore } from '../../../src/adapters/files/store.ts';
import { md5 } from '../../../src/adapters/process/environment.ts';
import { timers } from '../../../src/adapters/process/running.ts';
import { openDatabase } from '../../../src/adapters/sqlite/binding.ts';
import { openIndex } from '../../../src/adapters/sqlite/open-index.ts';
import type { StoreParts } from '../../../src/core/ports/machine.ts';
import { CONFIG_NAME } from '../../../src/adapters/files/home-layout.ts';
import { fillIn, type Given } from './case.ts';

const now = Date.now;
const MACHINE = { now, md5, timers, openIndex, openStore: (parts: StoreParts) => new FileStore({ ...parts, now, md5, openDatabase }) };

export type BenchMachine = Parameters<typeof composeMemory>[0];

/** A fresh project with a shared memory, laid out as a case says. */
export class Bench {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-conformance-')));
  readonly project = path.join(this.folder, 'project');
  readonly root = path.join(this.project, '.claude', 'memory');
  /** Lists the shared records: the shared root holds no view. */
  readonly view = path.join(this.folder, 'private', 'index.md');
  readonly outside = path.join(this.folder, 'outside');
  readonly staging = path.join(this.folder, 'staging');
  readonly places = {
    MEMORY: this.root,
    PROJECT: this.project,
    OUTSIDE: this.outside,
    STAGING: this.staging,
    INPUT: path.join(this.staging, 'draft-input.json'),
  };
  readonly #machine: BenchMachine;
  #composed: ComposedMemory | undefined;

  constructor(machine: BenchMachine = MACHINE) {
    this.#machine = machine;
  }

  get memory(): ComposedMemory['memory'] {
    this.#composed ??= composeMemory(this.#machine, {
      key: 'project',
      roots: { shared: this.root, private: path.dirname(this.view) },
      state: path.join(this.folder, 'state'),
      loaded: loadConfig(configFiles({ project: path.join(this.root, CONFIG_NAME) })),
      checkout: {
        exists: (file) => fs.existsSync(path.resolve(this.project, file)),
        changedAt: () => undefined,
        evidenceOf: () => [],
        branch: () => undefined,
      },
    });
    return this.#composed.memory;
  }

  async lay(given: Given): Promise<void> {
    for (const folder of [this.project, this.outside, this.staging]) fs.mkdirSync(folder, { recursive: true });
    if (given.memory_root !== 'absent') fs.mkdirSync(this.root, { recursive: true });
    const put = (file: string, text: string): void => {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
    };
    for (const [name, record] of Object.entries(given.records ?? {})) {
      const value = fillIn(record, this.places);
      put(path.join(this.root, name), typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`);
    }
    for (const [name, text] of Object.entries(given.project_files ?? {})) put(path.join(this.project, name), text);
    for (const [name, text] of Object.entries(given.outside_files ?? {})) put(path.join(this.outside, name), text);
    for (const [from, to] of Object.entries(fillIn(given.symlinks ?? {}, this.places) as Record<string, string>)) {
      fs.mkdirSync(path.dirname(from), { recursive: true });
      fs.mkdirSync(to, { recursive: true });
      fs.symlinkSync(to, from);
    }
    if (given.config !== undefined) put(path.join(this.root, CONFIG_NAME), JSON.stringify(given.config));
    await this.takeIn();
    if (given.index === undefined && given.memory_root !== 'absent') await rebuild(this.memory, 'conformance');
    else if (given.index !== undefined && given.index !== null)
      put(this.view, Array.isArray(given.index) ? `# Memory Index\n\n${given.index.join('\n')}\n` : String(given.index));
  }

  /** Before each step: what lies in the folders is the memory. */
  async takeIn(): Promise<void> {
    // The files are it.
  }

  /** Lets the memory finish what it put off. */
  async settle(): Promise<void> {
    await this.#composed?.flushRepairs();
  }

  /** Every record file in JSON form and the entries of index.md. */
  final(): { files: Record<string, unknown>; index: unknown[] } {
    const files: Record<string, unknown> = {};
    if (fs.existsSync(this.root)) {
      for (const folder of fs.readdirSync(this.root, { withFileTypes: true })) {
        if (!folder.isDirectory() || folder.name.startsWith('.')) continue;
        for (const name of fs.readdirSync(path.join(this.root, folder.name)).toSorted()) {
          const text = fs.readFileSync(path.join(this.root, folder.name, name), 'utf8');
          files[`${folder.name}/${name.replace(/\.invalid\.\d+$/, '.invalid.<TS>')}`] = asJson(text);
        }
      }
    }
    return { files, index: fs.existsSync(this.view) ? parseActiveIndex(fs.readFileSync(this.view, 'utf8'), '.claude/memory/') : [] };
  }

  async clear(): Promise<void> {
    await this.#composed?.close();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return { '@raw': text };
  }
}

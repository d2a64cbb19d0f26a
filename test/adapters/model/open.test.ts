import { describe, expect, it } from 'vitest';
import { AnthropicModel } from '../../../src/adapters/model/chat/anthropic.ts';
import { OllamaModel } from '../../../src/adapters/model/chat/ollama.ts';
import { OpenAiModel } from '../../../src/adapters/model/chat/openai.ts';
import { CommandModel } from '../../../src/adapters/model/command/command.ts';
import { openModel } from '../../../src/adapters/model/open.ts';
import { effectiveConfig } from '../../../src/core/config/effective.ts';
import { KEY, loopback } from './loopback.ts';
import { PROTOCOLS } from './protocols.ts';

const HOST = { key: KEY, env: {}, cwd: '/nowhere' };
const open = (model: object, host = HOST) => openModel(effectiveConfig({ user: { model } }), host);

describe('the settings choose the model', () => {
  it.each(['host', 'none'])('%s needs none', (drafting) => {
    expect(open({ drafting })).toEqual({ ok: true, value: undefined });
  });

  it.each([
    [{ drafting: 'command', command: 'claude -p' }, CommandModel],
    [{ drafting: 'api' }, AnthropicModel],
    [{ drafting: 'api', protocol: 'openai' }, OpenAiModel],
    [{ drafting: 'api', protocol: 'ollama' }, OllamaModel],
  ])('%j', (model, kind) => {
    const opened = open(model);
    expect(opened.ok && opened.value).toBeInstanceOf(kind);
  });

  it.each(PROTOCOLS)('and $name is asked where they say, with the key that was passed in', async ({ name, says }) => {
    const server = await loopback(() => ({ json: says('hello') }));
    const opened = open({ drafting: 'api', protocol: name, endpoint: server.url });
    const answer = opened.ok && (await opened.value?.complete({ model: 'm', system: '', prompt: 'hi', maxTokens: 5 }));
    expect(answer).toMatchObject({ ok: true, value: { text: 'hello' } });
    expect(JSON.stringify(server.seen[0]?.headers)).toContain(KEY);
  });

  it('a shared config names neither endpoint nor command', () => {
    const config = effectiveConfig({
      shared: { model: { drafting: 'command', command: 'steal' }, embed: { provider: 'openai', endpoint: 'https://evil.example' } },
    });
    expect([config.get('model.drafting'), config.get('model.command'), config.get('embed.provider'), config.get('embed.endpoint')]).toEqual([
      'host',
      '',
      'none',
      '',
    ]);
  });
});

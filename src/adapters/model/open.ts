import type { Config } from '../../core/config/effective.ts';
import type { Model } from '../../core/ports/model.ts';
import { ok, type Result } from '../../core/result.ts';
import { AnthropicModel } from './chat/anthropic.ts';
import { OllamaModel } from './chat/ollama.ts';
import { OpenAiModel } from './chat/openai.ts';
import { CommandModel } from './command/command.ts';
import { checkedKey } from './http/address.ts';

export interface ModelHost {
  /** The value of the environment variable that `model.keyVariable` names. */
  readonly key?: string | undefined;
  /** The environment of a headless client. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A private folder that a headless client starts in. */
  readonly cwd: string;
}

const ANSWER_BYTES = 8 * 1024 * 1024;

/** The model that the settings name; undefined for `none` and `host`, which call none. */
export function openModel(config: Config, host: ModelHost): Result<Model | undefined> {
  const drafting = config.get('model.drafting');
  const timeoutMs = config.get('model.timeoutSeconds') * 1000;
  if (drafting === 'none' || drafting === 'host') return ok(undefined);
  if (drafting === 'command')
    return ok(new CommandModel({ command: config.get('model.command'), cwd: host.cwd, env: host.env, timeoutMs, limitBytes: ANSWER_BYTES }));
  const key = checkedKey('model', host.key);
  if (!key.ok) return key;
  const endpoint = { endpoint: config.get('model.endpoint').trim(), key: key.value, retryPolicy: { timeoutMs, limitBytes: ANSWER_BYTES } };
  switch (config.get('model.protocol')) {
    case 'anthropic':
      return ok(new AnthropicModel(endpoint));
    case 'openai':
      return ok(new OpenAiModel(endpoint));
    case 'ollama':
      return ok(new OllamaModel(endpoint));
  }
}

import type { Config } from '#shared/config.ts';
import type { Assistant } from '#shared/providers/assistant/assistant.ts';
import { builtInAssistant } from '#shared/providers/assistant/built-in/built-in.ts';
import { modelOf } from '#shared/providers/assistant/models.ts';
import { assistantWith } from '#shared/providers/assistant/with-model.ts';

/** The assistant that the configuration names. For workers: it has the clients of language models in its bundle. */
export function assistantOf(config: Pick<Config, 'assistant'>): Assistant {
  const model = modelOf(config);
  return model ? assistantWith(model) : builtInAssistant;
}

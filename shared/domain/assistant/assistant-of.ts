import type { Config } from '../../config.ts';
import type { Assistant } from '../../providers/assistant/assistant.ts';
import { builtInAssistant } from '../../providers/assistant/built-in/built-in.ts';
import { modelOf } from '../../providers/assistant/models.ts';
import { assistantWith } from '../../providers/assistant/with-model.ts';

/** The assistant that the configuration names. For workers: it has the clients of language models in its bundle. */
export function assistantOf(config: Pick<Config, 'assistant'>): Assistant {
  const model = modelOf(config);
  return model ? assistantWith(model) : builtInAssistant;
}

import type { AsksAssistant } from '#shared/domain/assistant/answering/assistant.ts';
import { builtInAssistant } from '#shared/providers/assistant/built-in/built-in.ts';
import { modelOf } from '#shared/providers/assistant/models.ts';
import { assistantWith } from '#shared/providers/assistant/with-model.ts';

/** The assistant that the configuration names. For workers only: the bundle includes the clients of language models. */
export const assistant: AsksAssistant = {
  assistantOf: (config) => {
    const model = modelOf(config);
    return model ? assistantWith(model) : builtInAssistant;
  },
};

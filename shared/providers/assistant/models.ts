import { type AssistantConfig, assistantProblem } from '#shared/config.ts';
import { ModelFailed } from '#shared/domain/assistant/answering/failure.ts';
import { bedrockModel } from './bedrock.ts';
import type { LanguageModel } from './model.ts';
import { openAiModel } from './openai.ts';

const models = new WeakMap<AssistantConfig, LanguageModel>();

/**
 * The model that the configuration names; undefined for `built-in` and `none`. Returns the same object each time, so
 * that connections are reused. Throws `misconfigured` for an impossible configuration. For workers only: a bundle with
 * this file contains the clients of all providers.
 */
export function modelOf({ assistant }: { assistant: AssistantConfig }): LanguageModel | undefined {
  const known = models.get(assistant);
  if (known) return known;
  const made = makeModel(assistant);
  if (made) models.set(assistant, made);
  return made;
}

function makeModel(assistant: AssistantConfig): LanguageModel | undefined {
  const problem = assistantProblem(assistant);
  if (problem) throw new ModelFailed('misconfigured', problem);
  const { provider, model = '', url = '' } = assistant;
  if (provider === 'bedrock') return bedrockModel({ ...assistant, model });
  if (provider === 'openai') return openAiModel({ ...assistant, model, url });
  return undefined;
}

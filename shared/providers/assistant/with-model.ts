import type { Assistant } from './assistant.ts';
import type { LanguageModel } from './model.ts';
import { answer } from './with-model/answer.ts';
import { chooseTags } from './with-model/choose-tags.ts';
import { summarize } from './with-model/summarize.ts';

/** The assistant that a language model is. */
export function assistantWith(model: LanguageModel): Assistant {
  return {
    name: model.name,
    answer: (...question) => answer(model, ...question),
    summarize: (...thread) => summarize(model, ...thread),
    chooseTags: (...thread) => chooseTags(model, ...thread),
  };
}

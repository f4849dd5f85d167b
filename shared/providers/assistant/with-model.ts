import type { Assistant } from '#shared/domain/assistant/answering/assistant.ts';
import { answer } from '#shared/providers/assistant/with-model/answer.ts';
import { brief } from '#shared/providers/assistant/with-model/brief.ts';
import { chooseTags } from '#shared/providers/assistant/with-model/choose-tags.ts';
import { findDeal } from '#shared/providers/assistant/with-model/find-deal.ts';
import { findFacts } from '#shared/providers/assistant/with-model/find-facts.ts';
import { findTasks } from '#shared/providers/assistant/with-model/find-tasks.ts';
import { noteMeeting } from '#shared/providers/assistant/with-model/note-meeting.ts';
import { summarize } from '#shared/providers/assistant/with-model/summarize.ts';
import type { LanguageModel } from './model.ts';

/** The assistant with a language model. */
export function assistantWith(model: LanguageModel): Assistant {
  return {
    name: model.name,
    answer: (...question) => answer(model, ...question),
    summarize: (...thread) => summarize(model, ...thread),
    chooseTags: (...thread) => chooseTags(model, ...thread),
    findFacts: (...mail) => findFacts(model, ...mail),
    findTasks: (...mail) => findTasks(model, ...mail),
    findDeal: (...mail) => findDeal(model, ...mail),
    noteMeeting: (...meeting) => noteMeeting(model, ...meeting),
    brief: (...day) => brief(model, ...day),
  };
}

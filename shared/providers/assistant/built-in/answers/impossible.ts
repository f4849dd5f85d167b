import type { Question } from '#shared/providers/assistant/built-in/question.ts';

const REASONS: Record<string, string> = {
  send: 'I cannot send mail; on a thread I can propose a draft, for example: draft a reply saying: We come on Friday.',
  write: 'I do not write texts of my own; I can summarize a thread or quote what was said on it.',
  translate:
    'I cannot translate; I can quote a mail in the language it was written in, with its author and date.',
  delete: 'I cannot delete anything; I can propose to remove a tag, or find the record for you.',
  state:
    'I cannot change a thread’s state, such as read, flagged or resolved; I can tell you its state, or propose a tag.',
  create:
    'I cannot make events; I can propose a task, for example: remind me to call the shipyard on Friday at 10:00.',
  world: 'I know nothing beyond this workspace; I can look things up in its mail and contacts.',
};

/** What cannot be done, in one sentence, with what can be done instead. */
export function impossible(question: Question): string {
  return REASONS[question.field ?? ''] ?? 'I cannot do that.';
}

import { Cannot } from '#shared/providers/assistant/built-in/cannot.ts';
import { propose } from '#shared/providers/assistant/built-in/propose.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { quote, threadName } from '#shared/providers/assistant/built-in/say.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';

/** "Draft a reply saying: We come on Friday." The words are the asker's own. */
export async function draftReply(question: Question, workspace: Workspace): Promise<string> {
  const thread = await workspace.ownThread();
  if (!thread) throw new Cannot('I can draft a reply where the mail is: ask me on its thread.');
  const answered = thread.messages.findLast(({ own }) => !own) ?? thread.messages.at(-1);
  if (!answered) throw new Cannot('I found no message to answer.');
  const body = question.value ?? '';
  const text = `${body[0]?.toUpperCase()}${body.slice(1)}`;
  const params = {
    in_reply_to_message_id: answered.id,
    kind: question.field === null ? 'reply' : 'reply_all',
    body: text,
  };
  const whom = question.field === null ? '' : ' to all';
  const what = `draft a reply${whom} on ${quote(threadName(thread), 80)}: ${quote(text, 200)}`;
  return propose(workspace, 'draft.create', params, what);
}

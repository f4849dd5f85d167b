import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { author, lines, personLink } from '#shared/providers/assistant/built-in/say.ts';
import { findThread, topicOf } from '#shared/providers/assistant/built-in/sources.ts';
import { timeIn } from '#shared/providers/assistant/built-in/times.ts';
import { counted, listed } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';

/** Who is on a thread, and who wrote on it. */
export async function participants(question: Question, workspace: Workspace): Promise<string> {
  const thread = await findThread(topicOf(question), workspace);
  if (!thread) return 'Please ask that on a thread, or name the thread.';
  const people = thread.participants.map((each) => {
    const written = thread.messages.filter(({ from }) => from?.email_address === each.email_address).length;
    const wrote = written > 0 ? `, wrote ${counted(written, 'message')}` : '';
    return `- ${personLink(each)} (${each.email_address})${wrote}`;
  });
  const ids = thread.participants.flatMap(({ contact_id }) => contact_id ?? []);
  if (ids.length > 0) await workspace.showContacts([...new Set(ids)].slice(0, 20), 'Contacts on this thread');
  const whole = thread.earlier.length + thread.left_out === 0;
  const [first] = thread.messages;
  const commenters = [...new Set(thread.comments.map((each) => each.author))];
  return lines(
    `${counted(thread.participants.length, 'address', 'addresses')} on this thread:`,
    ...people.slice(0, 15),
    people.length > 15 && `And ${people.length - 15} more.`,
    whole && first && `${author(first)} wrote first, on ${timeIn(workspace.zone, first.sent_at)}.`,
    commenters.length > 0 && `Commented: ${listed(commenters.slice(0, 10))}.`,
  );
}

import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { lines } from '#shared/providers/assistant/built-in/say.ts';
import { messagesOf, onlyBeginnings } from '#shared/providers/assistant/built-in/sources.ts';
import { contentStems, shared } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';
import { datedIn, listed, ranked } from './dates.ts';
import { keywords, threadsToRead } from './look-up.ts';
import { other } from './other.ts';

/** "When is the harbour day?": days named about it. What it is called may be in the subject alone. */

const SHOWN = 3;

export async function when(question: Question, workspace: Workspace): Promise<string> {
  const topic = question.topic ?? '';
  const wanted = contentStems(topic);
  if (wanted.size === 0) return other(question, workspace);
  const dated = datedIn(messagesOf(await threadsToRead(keywords(topic), workspace)));
  const about = dated.filter(
    ({ sentence, said }) =>
      shared(wanted, contentStems(`${sentence} ${said.thread.subject ?? ''}`)) === wanted.size,
  );
  if (about.length === 0) return other(question, workspace);
  const today = workspace.asked.now.toISOString().slice(0, 10);
  const best = ranked(about, wanted, today).slice(0, SHOWN);
  return lines(
    'Days that the mail names about it:',
    await listed(best, workspace),
    onlyBeginnings([...new Set(best.map(({ said }) => said.message))], workspace.zone),
  );
}

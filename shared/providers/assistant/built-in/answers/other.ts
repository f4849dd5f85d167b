import { Cannot } from '#shared/providers/assistant/built-in/cannot.ts';
import { isEnglish } from '#shared/providers/assistant/built-in/language.ts';
import { findPerson } from '#shared/providers/assistant/built-in/people.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { lines, quote } from '#shared/providers/assistant/built-in/say.ts';
import { stems } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';
import { findThreads, threadsFound } from './find.ts';
import { keywords, lookUp } from './look-up.ts';
import { describe } from './who.ts';

/** Questions of no known kind: sentences with the words of the question, or what a search finds. */

const NO_ENGLISH =
  'I read questions in English only, so I did not understand this one; the mail itself may be in any language.';

/** "Show me invoices", of which the question keeps "invoices". */
const LISTING =
  /^[\s\p{P}]{0,5}(?:please |can you |could you )?(?:show|list|display|give)(?: (?:me|us))?\b/iu;

async function asList(question: Question, workspace: Workspace): Promise<string | null> {
  if (!LISTING.test(workspace.asked.text) || workspace.asked.about || !workspace.has('search_threads'))
    return null;
  return threadsFound({ ...question, topic: question.text }, workspace);
}

/** A name alone: nothing is asked, so who it is. */
async function asName(text: string, workspace: Workspace): Promise<string | null> {
  if (text.length > 60 || stems(text).length > 6 || !workspace.has('search_threads')) return null;
  if (!workspace.has('search_contacts')) return null;
  const { contacts } = await workspace.contacts(text);
  if (contacts.length === 0) return null;
  try {
    return await describe(await findPerson(text, workspace), workspace);
  } catch (error) {
    if (error instanceof Cannot) return null;
    throw error;
  }
}

export async function other(question: Question, workspace: Workspace): Promise<string> {
  const name = await asName(question.text, workspace);
  if (name) return name;
  if (!isEnglish(workspace.asked.text)) return NO_ENGLISH;
  const list = await asList(question, workspace);
  if (list) return list;
  const query = keywords(workspace.asked.text);
  if (query === '') return 'I did not understand that. Ask me “what can you do?” to see what I can answer.';
  const found = await lookUp(workspace.asked.text, workspace);
  if (found) return found;
  if (workspace.asked.about && workspace.has('search_threads')) {
    const { total } = await workspace.threads({ query, limit: 1 });
    if (total > 0)
      return lines(
        'I found no sentence about that here, but elsewhere:',
        await findThreads({ ...question, topic: query }, workspace),
      );
  }
  return `I found nothing about ${quote(query, 80)}.`;
}

import { datesIn } from '#shared/providers/assistant/built-in/dates.ts';
import { lines } from '#shared/providers/assistant/built-in/say.ts';
import { messagesOf, onlyBeginnings, openAll } from '#shared/providers/assistant/built-in/sources.ts';
import { contentStems, cut, stems } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';
import { quotedFrom, quoteLine } from './said.ts';

/** The sentences of the record, or of the threads that a search finds, that have the words of a question. */

const SHOWN = 3;

/** A question with "when" needs a sentence with a date, one with "how much" a sentence with a number. */
function lookingFor(text: string): (sentence: string) => number {
  if (/^(?:and )?(?:when|until when|since when)\b/i.test(text))
    return (each) => (datesIn(each, '').length > 0 ? 3 : 0);
  if (/^(?:how (?:much|many)|what .{0,30}(?:price|cost|number|amount))\b/i.test(text))
    return (each) => (/\d/.test(each) ? 1 : 0);
  return () => 0;
}

/** The words of the text that say what it is about, as they are written. */
export function keywords(text: string): string {
  const words = text.slice(0, 2000).match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]{0,60}/gu) ?? [];
  const telling = words.filter((word) => contentStems(word).size > 0);
  return cut(telling.slice(0, 8).join(' '), 200);
}

/** The thread or contact that was asked on, or what a search finds. */
export async function threadsToRead(query: string, workspace: Workspace) {
  const own = await workspace.ownThread();
  if (own) return [own];
  const contact = await workspace.ownContact();
  if (contact) return openAll(contact.threads, workspace);
  // A search for all words may find nothing where one of them tells enough.
  const words = query.split(' ').sort((a, b) => b.length - a.length);
  for (const each of new Set([query, stems(query).join(' '), ...words.slice(0, 3)])) {
    if (each === '') continue;
    const { threads } = await workspace.threads({ query: each, limit: 5 });
    if (threads.length > 0) return openAll(threads, workspace);
  }
  return [];
}

/** Null when there are none. */
export async function lookUp(text: string, workspace: Workspace): Promise<string | null> {
  const query = keywords(text);
  if (query === '') return null;
  const wanted = new Set([...contentStems(text.slice(0, 2000))].slice(0, 40));
  const said = messagesOf(await threadsToRead(query, workspace));
  const found = quotedFrom(said, wanted, lookingFor(text));
  const best = found.filter(({ score }) => score * 2 > (found[0]?.score ?? 0)).slice(0, SHOWN);
  if (best.length === 0) return null;
  const where = workspace.asked.about?.type !== 'thread';
  return lines(
    'These sentences have words of your question:',
    ...best.map((each) => quoteLine(each, workspace, where)),
    onlyBeginnings([...new Set(best.map((each) => each.said.message))], workspace.zone),
  );
}

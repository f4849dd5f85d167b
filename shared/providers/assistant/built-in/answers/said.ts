import type { Person } from '#shared/providers/assistant/built-in/people.ts';
import { findPerson, isBy, whole } from '#shared/providers/assistant/built-in/people.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { author, lines, quote, threadLink } from '#shared/providers/assistant/built-in/say.ts';
import { matching, sentencesOf } from '#shared/providers/assistant/built-in/sentences.ts';
import {
  messagesOf,
  onlyBeginnings,
  openAll,
  type Said,
  saidBy,
  threadsFor,
  topicIn,
  unreadParts,
  withPerson,
} from '#shared/providers/assistant/built-in/sources.ts';
import { timeIn } from '#shared/providers/assistant/built-in/times.ts';
import { contentStems } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';

/** "What did X say about Y?": X's own sentences that have the words of Y. */

interface Quoted {
  said: Said;
  sentence: string;
  score: number;
}

/** Best first; of two as good the newer. At most two of one message. */
export function quotedFrom(
  all: readonly Said[],
  wanted: ReadonlySet<string>,
  also?: (sentence: string) => number,
): Quoted[] {
  return all
    .flatMap((said) => {
      const sentences = sentencesOf(said.message.text, said.message.from?.name ?? '');
      const scored = matching(sentences, wanted).map(({ sentence, words }) => ({
        said,
        sentence,
        score: words + (also?.(sentence) ?? 0),
      }));
      return scored.sort((a, b) => b.score - a.score).slice(0, 2);
    })
    .sort((a, b) => b.score - a.score);
}

export function quoteLine(
  { said, sentence }: Pick<Quoted, 'said' | 'sentence'>,
  workspace: Workspace,
  where: boolean,
): string {
  const { thread, message } = said;
  const on = where ? ` on ${threadLink(thread)}` : '';
  return `${author(message)}, ${timeIn(workspace.zone, message.sent_at)}${on}: ${quote(sentence, 300)}`;
}

async function search(topic: string, person: Person | null, workspace: Workspace) {
  if (person) {
    const near = await saidBy(person, workspace);
    if (quotedFrom(near.said, contentStems(topic)).length > 0) return near;
    const { threads: rows } = await workspace.threads({
      query: topicIn(topic),
      ...withPerson(person),
      limit: 5,
    });
    const threads = await openAll(rows, workspace);
    const said = messagesOf(threads).filter(({ message }) => isBy(message, person));
    return { said, threads };
  }
  const here = await threadsFor(
    { kind: 'said', text: '', person: null, topic, field: null, value: null },
    workspace,
  );
  return { said: messagesOf(here), threads: here };
}

export async function said(question: Question, workspace: Workspace): Promise<string> {
  const topic = question.topic ?? question.text;
  const person = question.person ? await findPerson(question.person, workspace) : null;
  const { said: all, threads } = await search(topic, person, workspace);
  const found = quotedFrom(all, contentStems(topic)).slice(0, 4);
  const by = person ? ` by ${whole(person)}` : '';
  if (found.length === 0)
    return lines(
      `I found nothing${by} about ${quote(topic, 80)} in the mail that I read.`,
      unreadParts(threads),
    );
  const where = workspace.asked.about?.type !== 'thread';
  return lines(
    ...found.map((each) => quoteLine(each, workspace, where)),
    onlyBeginnings([...new Set(found.map((each) => each.said.message))], workspace.zone),
  );
}

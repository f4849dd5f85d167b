import type { ThreadText } from '#shared/domain/assistant/answering/assistant.ts';
import { isBulk } from './bulk.ts';
import { sentencesOf } from './sentences.ts';
import { contentStems, shared, stems, without } from './words.ts';

/** Tags by their words. Better none than a wrong one: a word said once in passing is not enough. */

const MOST = 3;
const ENOUGH = 3;
/** Of all messages together. */
const MAX_TEXT = 50_000;

/** Words that descriptions are made of, and that any mail may have. */
const VAGUE = new Set(
  stems(
    `everything anything mail thread about related concerning people person team company business work time day week
    month year new old important general other misc miscellaneous stuff item kind type all our us customer client user
    project question answer problem information detail date today tomorrow help service send sent received`,
  ),
);

interface Text {
  subject: ReadonlySet<string>;
  sentences: ReadonlySet<string>[];
  bulk: boolean;
}

function read({ subject, messages }: ThreadText): Text {
  let left = MAX_TEXT;
  const sentences = messages.flatMap(({ from, text }) => {
    const part = text.slice(0, Math.max(0, left));
    left -= part.length;
    return sentencesOf(part, from).map((sentence) => new Set(stems(sentence)));
  });
  return { subject: new Set(stems(subject ?? '')), sentences, bulk: messages.some(isBulk) };
}

function score(tag: { name: string; description: string | null }, text: Text): number {
  const name = new Set(stems(tag.name));
  if (name.size === 0) return 0;
  const special = without(contentStems(tag.name), VAGUE).size > 0;
  if (text.bulk && !special) return 0;
  if (shared(name, text.subject) === name.size) return special ? 6 : 3;
  if (text.bulk) return 0;
  const mentions = text.sentences.filter((sentence) => shared(name, sentence) === name.size).length;
  const described = without(without(contentStems(tag.description ?? ''), VAGUE), name);
  const inSubject = shared(described, text.subject);
  const everywhere = [...described].filter((word) => text.sentences.some((sentence) => sentence.has(word)));
  const byName = special ? Math.min(mentions, 2) * 1.5 : 0;
  const byDescription = Math.min(inSubject, 2) * 1.5 + Math.min(everywhere.length, 3) * 0.75;
  return byName + byDescription;
}

export function chooseTags(
  thread: ThreadText,
  tags: readonly { id: string; name: string; description: string | null }[],
): string[] {
  const text = read(thread);
  return tags
    .map((tag) => ({ id: tag.id, score: score(tag, text) }))
    .filter((each) => each.score >= ENOUGH)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ id }) => id);
}

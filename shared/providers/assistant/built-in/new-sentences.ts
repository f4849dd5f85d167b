import type { NewMessage } from '#shared/domain/assistant/answering/assistant.ts';
import { isBulk } from './bulk.ts';
import { isEnglish } from './language.ts';
import { sentencesOf } from './sentences.ts';

/** The sentences of a new message, in English and to few people. */
export function newSentences({ messages }: NewMessage): string[] {
  const last = messages.at(-1);
  if (!last || isBulk(last)) return [];
  return sentencesOf(last.text, last.from).filter(isEnglish);
}

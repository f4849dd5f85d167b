import type { ThreadText } from '#shared/domain/assistant/answering/assistant.ts';
import { type DataMarks, jsonOf } from './data.ts';
import { beginning, RESULT_BYTES } from './limits.ts';

const MESSAGES = 12;
const SUBJECT_BYTES = 1_000;
const NAME_BYTES = 300;

/** A thread for work without a question: the newest messages when not all fit. */
export function threadText({ subject, messages }: ThreadText, marks: DataMarks): string {
  const newest = messages.slice(-MESSAGES);
  const share = Math.floor(RESULT_BYTES / newest.length);
  const told = newest.map(({ from, sent_at, text }) => ({
    from: beginning(from, NAME_BYTES),
    sent_at,
    text: beginning(text, share),
  }));
  const json = jsonOf({ subject: subject && beginning(subject, SUBJECT_BYTES), messages: told });
  // Escaping makes it longer.
  return `The thread:\n${marks.around(json, 1.5 * RESULT_BYTES)}`;
}

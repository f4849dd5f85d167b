import type { ThreadText } from '../assistant.ts';
import type { DataMarks } from './data.ts';
import { beginning, RESULT_BYTES } from './limits.ts';

/** A thread for work without a question: the newest messages where not all have room. */
export function threadText({ subject, messages }: ThreadText, marks: DataMarks): string {
  const share = Math.floor(RESULT_BYTES / Math.min(Math.max(messages.length, 1), 12));
  const told = messages
    .slice(-12)
    .map(({ from, sent_at, text }) => `From ${from}, ${sent_at}:\n${beginning(text, share)}`);
  return marks.around([`Subject: ${subject ?? '(none)'}`, ...told].join('\n\n'));
}

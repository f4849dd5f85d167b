import type { Message } from '#shared/domain/mail/threads/thread.ts';
import type { Marking } from './labels.ts';

/** That a message was answered or forwarded: flags of its copies, in the mailbox that sent the answer, for good. */

/** RFC 3501, 2.3.2, and RFC 5550, 2.8. */
const FLAGS = { answered: '\\Answered', forwarded: '$Forwarded' };

export type Deed = keyof typeof FLAGS;

/** As its job names it. */
export const answeredNote = (mailbox_id: string, message_id: string, deed: Deed) =>
  `${mailbox_id}#${message_id}#${deed}`;

/** Of these messages, those that were answered or forwarded from the mailbox. */
export function answeredIn(
  mailbox_id: string,
  messages: Message[],
  notes: ReadonlySet<string> = new Set(),
): Marking[] {
  return messages.flatMap((message) => {
    const done = (Object.keys(FLAGS) as Deed[]).filter((deed) =>
      notes.has(answeredNote(mailbox_id, message.id, deed)),
    );
    return done.length > 0 ? [{ message, marks: {}, flags: done.map((deed) => FLAGS[deed]) }] : [];
  });
}

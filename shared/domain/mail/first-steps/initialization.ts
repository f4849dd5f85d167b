import * as z from 'zod';
import type { MailImport } from '#shared/domain/mail/imports/import.ts';

/** How far a user's first mail has come (docs/specification/mail.md, "First steps"). */
export const initializationSchema = z
  .strictObject({
    status: z.enum(['pending', 'importing', 'complete']),
    mailbox_connected: z.boolean(),
    threads_imported: z.int(),
    contacts_created: z.int(),
    percent: z.int().min(0).max(100),
  })
  .meta({ id: 'Initialization' });

type Initialization = z.infer<typeof initializationSchema>;

const isRunning = ({ status }: MailImport) => status === 'pending' || status === 'importing';

const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0);

/** Of the messages of imports that run; 0 until they are counted. */
function percentOf(running: MailImport[]): number {
  const total = sum(running.map(({ messages_total }) => messages_total ?? 0));
  const read = sum(
    running.map((each) => each.messages_imported + each.messages_skipped + each.messages_failed),
  );
  return total === 0 ? 0 : Math.min(99, Math.floor((100 * read) / total));
}

/** `initialized_at` ends the first steps: imports from later are none of them. */
export function progressOf(
  imports: MailImport[],
  initialized_at: string | undefined,
): Pick<Initialization, 'status' | 'percent' | 'mailbox_connected'> {
  const first = imports.filter(
    ({ created_at }) => initialized_at === undefined || created_at <= initialized_at,
  );
  const running = first.filter(isRunning);
  const mailbox_connected = imports.length > 0;
  if (running.length > 0) return { status: 'importing', percent: percentOf(running), mailbox_connected };
  const complete = initialized_at !== undefined || first.some(({ status }) => status === 'complete');
  return complete
    ? { status: 'complete', percent: 100, mailbox_connected }
    : { status: 'pending', percent: 0, mailbox_connected };
}

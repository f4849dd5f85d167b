import * as z from 'zod';
import type { MailImport } from '#shared/domain/mail/imports/import.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';

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

/** What mail comes from: archives and servers. */
export interface Sources {
  imports: MailImport[];
  /** Those with a mail server. */
  mailboxes: Mailbox[];
}

export const comesMail = ({ imports, mailboxes }: Sources) => imports.length + mailboxes.length > 0;

/** There are servers, and none of them sends. */
export const areSilent = ({ mailboxes }: Sources) =>
  mailboxes.length > 0 && mailboxes.every(({ mail_server }) => !mail_server?.smtp);

const isRunning = ({ status }: Pick<MailImport | Mailbox, 'status'>) =>
  ['pending', 'importing', 'connecting'].includes(status);

const isDone = (source: MailImport | Mailbox) =>
  'mail_state' in source ? source.mail_state?.backfill_percent === 100 : source.status === 'complete';

const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0);

/** Of the messages of imports that run; 0 until they are counted. */
function percentOfImports(running: MailImport[]): number {
  const total = sum(running.map(({ messages_total }) => messages_total ?? 0));
  const read = sum(
    running.map((each) => each.messages_imported + each.messages_skipped + each.messages_failed),
  );
  return total === 0 ? 0 : (100 * read) / total;
}

/** Of imports together, and of each mailbox. */
function percentOf(imports: MailImport[], mailboxes: Mailbox[]): number {
  const all = [
    ...(imports.length > 0 ? [percentOfImports(imports)] : []),
    ...mailboxes.map(({ mail_state }) => mail_state?.backfill_percent ?? 0),
  ];
  return Math.min(99, Math.floor(sum(all) / all.length));
}

/** `initialized_at` ends the first steps: what comes from later is none of them. */
export function progressOf(
  sources: Sources,
  initialized_at: string | undefined,
): Pick<Initialization, 'status' | 'percent' | 'mailbox_connected'> {
  const isFirst = ({ created_at }: Pick<MailImport, 'created_at'>) =>
    initialized_at === undefined || created_at <= initialized_at;
  const imports = sources.imports.filter(isFirst);
  const mailboxes = sources.mailboxes.filter(isFirst);
  const first = [...imports, ...mailboxes];
  const mailbox_connected = comesMail(sources);
  if (first.some(isRunning)) {
    const percent = percentOf(imports.filter(isRunning), mailboxes.filter(isRunning));
    return { status: 'importing', percent, mailbox_connected };
  }
  const complete = initialized_at !== undefined || first.some(isDone);
  return complete
    ? { status: 'complete', percent: 100, mailbox_connected }
    : { status: 'pending', percent: 0, mailbox_connected };
}

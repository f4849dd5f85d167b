import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Mailbox, MailReport } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { newId } from '#shared/ids.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { timestamp, uuid } from '#shared/values.ts';
import { latestFailures } from './copies.ts';
import type { MailFolder } from './folder.ts';
import type { Place } from './plan.ts';

/**
 * What the server has of each folder, beside what is here. It is stored at the end of a run, and replaced as a whole: the
 * mailbox names its parts only when all of them are written.
 */

const SHOWN_FAILURES = 50;

const folderRow = z.strictObject({
  name: z.string(),
  messages_at_provider: z.int(),
  messages_imported: z.int(),
  messages_skipped: z.int(),
  messages_failed: z.int(),
});

const failureRow = z.strictObject({
  rfc_id: z.string().nullable(),
  subject: z.string().nullable(),
  reason: z.string(),
  attempts: z.int(),
  next_attempt_at: timestamp.nullable(),
});

export const syncReportSchema = z
  .strictObject({
    mailbox_id: uuid,
    from: timestamp.nullable(),
    to: timestamp.nullable(),
    folders: z.array(folderRow),
    messages_recovered: z.int(),
    recent_failures: z.array(failureRow),
  })
  .meta({ id: 'SyncReport' });

type FolderRow = z.infer<typeof folderRow>;

/** What comparing found missing here, and read, of one folder. */
type StoredRow = FolderRow & { differences: number };

type ReportPart = Item & { account_id: string; rows: StoredRow[] };

/** Bytes of a name as JSON: ten thousand folders fit a response. */
const NAME_BYTES = 400;

/** The full path, without control characters; its beginning when it is very long. */
function nameOf(path: string): string {
  const clean = path.replace(/\p{Cc}/gu, '');
  let bytes = 0;
  const fits = (character: string) => {
    bytes += Buffer.byteLength(JSON.stringify(character)) - 2;
    return bytes <= NAME_BYTES;
  };
  const characters = [...clean];
  const end = characters.findIndex((character) => !fits(character));
  return end === -1 ? clean : `${characters.slice(0, end).join('')}…`;
}

export function rowOf(
  { path }: Place,
  folder: MailFolder | undefined,
  apart: number | undefined,
): StoredRow | undefined {
  const name = nameOf(path);
  const none = { name, messages_imported: 0, messages_skipped: 0, messages_failed: 0, differences: 0 };
  if (apart !== undefined) return { ...none, messages_at_provider: apart, messages_skipped: apart };
  if (!folder) return undefined;
  const { messages_at_provider, messages_imported, messages_skipped, messages_failed } = folder;
  const counts = { messages_at_provider, messages_imported, messages_skipped, messages_failed };
  return { ...none, ...counts, differences: folder.differences ?? 0 };
}

/** Rows of one item: less than 400 kB. */
const ROWS = 500;

const digestOf = (rows: StoredRow[]) => createHash('sha256').update(JSON.stringify(rows)).digest('base64url');

/** Writes the parts of a report that says something new. */
export async function storeReport(
  table: Table,
  { id: mailbox_id, account_id, mail_state }: Mailbox,
  rows: StoredRow[],
  { from, to }: { from: Date; to: Date },
): Promise<MailReport> {
  const digest = digestOf(rows);
  const times = { from: from.toISOString(), to: to.toISOString() };
  const before = mail_state?.report;
  if (before?.digest === digest) return { ...before, ...times };
  const id = newId(to);
  const parts: ReportPart[] = [];
  for (let i = 0; i < rows.length; i += ROWS)
    parts.push({
      ...keys.mailReport(mailbox_id, id, parts.length),
      ...{ account_id, rows: rows.slice(i, i + ROWS) },
    });
  await table.writeMany(parts.map((put) => ({ put })));
  return { id, parts: parts.length, digest, ...times };
}

const prefixOf = (report: string) => keys.mailReport('', report, 0).SK.slice(0, -'0000'.length);

/** Removes the parts of all other reports; called when the mailbox names this one. */
export async function removeOldReports(table: Table, mailbox_id: string, current: string): Promise<void> {
  const { PK } = keys.mailReport(mailbox_id, '', 0);
  const parts = await table.all<ReportPart>(PK, 'REPORT#');
  const old = parts.filter(({ SK }) => !SK.startsWith(prefixOf(current)));
  await table.writeMany(old.map((part) => ({ delete: keyOf(part) })));
}

/** Undefined when another report took its place meanwhile. */
async function partsOf(
  table: Table,
  mailbox_id: string,
  { id, parts }: MailReport,
): Promise<StoredRow[] | undefined> {
  const wanted = Array.from({ length: parts }, (_, part) => keys.mailReport(mailbox_id, id, part));
  const found = await table.getMany<ReportPart>(wanted);
  if (found.length < parts) return undefined;
  return found.sort((a, b) => (a.SK < b.SK ? -1 : 1)).flatMap(({ rows }) => rows);
}

/** A report that is whole, the one that the mailbox names now if that of `mailbox` is gone. */
async function wholeReport(
  table: Table,
  { id, account_id, mail_state }: Mailbox,
): Promise<{ report: MailReport; rows: StoredRow[] } | undefined> {
  const report = mail_state?.report;
  if (!report) return undefined;
  const rows = await partsOf(table, id, report);
  if (rows) return { report, rows };
  const mailbox = await table.get<Mailbox>(keys.mailbox(account_id, id));
  return mailbox && mailbox.mail_state?.report?.id !== report.id ? wholeReport(table, mailbox) : undefined;
}

export async function presentReport(
  table: Table,
  mailbox: Mailbox,
): Promise<z.infer<typeof syncReportSchema>> {
  const mailbox_id = mailbox.id;
  const [{ report, rows } = { report: undefined, rows: [] }, failed] = await Promise.all([
    wholeReport(table, mailbox),
    latestFailures(table, mailbox_id, SHOWN_FAILURES),
  ]);
  return {
    mailbox_id,
    from: report?.from ?? null,
    to: report?.to ?? null,
    folders: rows.map(({ differences: _, ...row }) => row),
    messages_recovered: rows.reduce((sum, { differences }) => sum + differences, 0),
    recent_failures: failed.flatMap(({ failure }) => {
      if (!failure) return [];
      const { rfc_id, subject, reason, attempts, next_attempt_at } = failure;
      return [{ rfc_id, subject, reason, attempts, next_attempt_at }];
    }),
  };
}

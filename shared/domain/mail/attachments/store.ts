import { lists } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { Attachment } from './attachment.ts';

/** Attachments of one file that are looked at: a logo may be in every mail of a company. */
const MOST = 100;

/** The attachments that carry a file, of the newest messages first. */
export async function attachmentsWithFile(table: Table, file_id: string): Promise<Attachment[]> {
  const { items } = await table.query<Attachment>({
    index: 'by_rank',
    partition: lists.carrying(file_id),
    newest_first: true,
    limit: MOST,
  });
  return items;
}

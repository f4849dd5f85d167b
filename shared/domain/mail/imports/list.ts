import { keys } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import type { MailImport } from './import.ts';

/** The imports of a mailbox, newest first: their ids sort by time. */

export const importPosting = ({ id, mailbox_id }: Pick<MailImport, 'id' | 'mailbox_id'>): Item =>
  keys.posting(mailbox_id, 'imports', id);

interface ImportPage {
  imports: MailImport[];
  /** The id after which the next page begins; null on the last page. */
  next: string | null;
}

export async function listImports(
  table: Table,
  mailbox_id: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<ImportPage> {
  const { PK } = importPosting({ id: '', mailbox_id });
  const { items } = await table.query<Item>({
    partition: PK,
    sort: after === undefined ? undefined : { before: after },
    newest_first: true,
    limit: limit + 1,
  });
  const ids = items.slice(0, limit).map(({ SK }) => SK);
  const imports = await table.getMany<MailImport>(ids.map(keys.mailImport));
  return {
    imports: imports.sort((a, b) => (a.id < b.id ? 1 : -1)),
    next: items.length > limit ? (ids.at(-1) as string) : null,
  };
}

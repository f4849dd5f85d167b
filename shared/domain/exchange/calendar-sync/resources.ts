import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Failure } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';

/** What is known of each resource of a calendar at a server. */
export type ResourceItem = Item & {
  account_id: string;
  url: string;
  /** Of the version that was read or written last; null when the server tells none. */
  etag: string | null;
  /** What it made here. */
  event_ids: string[];
  /** Why some of it could not be read. */
  failure: Failure | null;
  /** Runs in a row that it ended. */
  tries?: number;
};

export async function resourcesAt(
  table: Table,
  calendar_id: string,
  urls: string[],
): Promise<Map<string, ResourceItem>> {
  const wanted = [...new Set(urls)].map((url) => keys.serverResource(calendar_id, url));
  const found = await table.getMany<ResourceItem>(wanted);
  return new Map(found.map((item) => [item.url, item]));
}

export async function allResources(table: Table, calendar_id: string): Promise<ResourceItem[]> {
  const { PK } = keys.serverResource(calendar_id, '');
  return table.all<ResourceItem>(PK, 'RESOURCE#');
}

export type Known = Pick<ResourceItem, 'url' | 'etag' | 'event_ids' | 'failure' | 'tries'>;

export const noteResource = (
  { table, caller }: CallerContext,
  calendar_id: string,
  known: Known,
): Promise<void> =>
  table.put({
    ...keys.serverResource(calendar_id, known.url),
    account_id: caller.account.id,
    ...known,
  });

export const forgetResource = (table: Table, calendar_id: string, url: string): Promise<void> =>
  table.delete(keys.serverResource(calendar_id, url));

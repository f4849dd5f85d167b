import { tagNames } from '#shared/domain/collaboration/tags/store.ts';
import type { Table } from '#shared/table/table.ts';
import type { Proposal } from './proposal.ts';

/** The name of the tag that a pending proposal would create. */
function newTagName({ action_type, status, tag_id, params }: Proposal): string | undefined {
  if (action_type !== 'tag.apply' || status !== 'pending' || tag_id !== null) return undefined;
  return JSON.parse(params).tag?.name;
}

/** A tag proposed as a new one may exist meanwhile: then accepting applies that one. */
export async function withTagIds(
  table: Table,
  account_id: string,
  proposals: Proposal[],
): Promise<Proposal[]> {
  const names = proposals.flatMap((proposal) => newTagName(proposal) ?? []);
  if (names.length === 0) return proposals;
  const ids = await tagNames.find(table, account_id, names);
  return proposals.map((proposal) => {
    const tag_id = ids.get(newTagName(proposal) ?? '');
    return tag_id === undefined ? proposal : { ...proposal, tag_id };
  });
}

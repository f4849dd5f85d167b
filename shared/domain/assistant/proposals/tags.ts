import { shownTag, tagDictionary, tagNames } from '#shared/domain/collaboration/tags/store.ts';
import type { Table } from '#shared/table/table.ts';
import type { Proposal } from './proposal.ts';
import { displayOfTag } from './tag-display.ts';

/** The tags of proposals as they are now: a proposed tag may have come, been replaced, or be gone. */

/** The name of the tag that a pending proposal would apply, whichever has it then. */
function proposedName({ action_type, status, params }: Proposal): string | undefined {
  if (action_type !== 'tag.apply' || status !== 'pending') return undefined;
  return JSON.parse(params).tag?.name;
}

/** By the id of each tag: the proposal with the tag in its place, as its records have it; or without one. */
async function replacing(table: Table, account_id: string, proposals: Proposal[]) {
  if (!proposals.some(({ tag_id }) => tag_id)) return (proposal: Proposal) => proposal;
  const dictionary = await tagDictionary(table, account_id);
  return (proposal: Proposal): Proposal => {
    const { tag_id, action_type, params, display } = proposal;
    if (!tag_id) return proposal;
    const shown = shownTag(dictionary, tag_id);
    if (!shown) return { ...proposal, tag_id: null };
    if (shown.id === tag_id) return proposal;
    const own = JSON.parse(params);
    return {
      ...proposal,
      tag_id: shown.id,
      params: JSON.stringify(own.tag_id === undefined ? own : { ...own, tag_id: shown.id }),
      display: { ...display, ...displayOfTag(action_type, shown.name) },
    };
  };
}

/** A tag proposed by its name is the one that has the name now, if any: accepting applies that one. */
export async function withTags(table: Table, account_id: string, proposals: Proposal[]): Promise<Proposal[]> {
  const names = proposals.flatMap((proposal) => proposedName(proposal) ?? []);
  const [replaced, ids] = await Promise.all([
    replacing(
      table,
      account_id,
      proposals.filter((proposal) => proposedName(proposal) === undefined),
    ),
    names.length > 0 ? tagNames.find(table, account_id, names) : new Map<string, string>(),
  ]);
  return proposals.map((proposal) => {
    const name = proposedName(proposal);
    return name === undefined ? replaced(proposal) : { ...proposal, tag_id: ids.get(name) ?? null };
  });
}

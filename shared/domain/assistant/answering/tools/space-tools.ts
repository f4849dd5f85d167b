import { listRecordComments } from '#shared/domain/collaboration/comments/store.ts';
import { visibleRecords } from '#shared/domain/collaboration/records/policy.ts';
import { presentTags, tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { visibleSummaries } from '#shared/domain/crm/organizations/summary.ts';
import { requireSpace } from '#shared/domain/crm/spaces/policy.ts';
import { listSpaces, membersOf } from '#shared/domain/crm/spaces/store.ts';
import type { SpaceRow, SpaceView } from '../other-views.ts';
import { commentViews, shorten } from './comments.ts';
import { give, type ToolContext } from './context.ts';
import type { RecordTools } from './record-tools.ts';
import { tool } from './tool.ts';

const DESCRIPTION = 2_000;
/** Members that are named, of each type. */
const MEMBERS = 50;
const SPACES = 200;

const names = (records: Iterable<{ id: string; name: string }>) =>
  [...records].map(({ id, name }) => ({ id, name }));

/** 404 for a space that the user does not see. */
async function readSpace(ctx: ToolContext, id: string): Promise<SpaceView> {
  const space = await requireSpace(ctx, id);
  const [{ contact_ids, organization_ids }, dictionary, comments] = await Promise.all([
    membersOf(ctx, space),
    tagDictionary(ctx.table, ctx.caller.account.id),
    listRecordComments(ctx, { type: 'spaces', id: space.id }),
  ]);
  const [contacts, organizations] = await Promise.all([
    visibleRecords<Contact>(ctx, 'contacts', contact_ids.slice(0, MEMBERS)),
    visibleSummaries(ctx, organization_ids.slice(0, MEMBERS)),
  ]);
  const view: SpaceView = {
    type: 'space',
    id: space.id,
    name: space.name,
    archived: space.archived,
    description: space.description && shorten(space.description, DESCRIPTION),
    contacts: names(contacts),
    organizations: names(organizations.values()),
    contact_count: contact_ids.length,
    organization_count: organization_ids.length,
    tags: presentTags(dictionary, space.tag_ids ?? []).map(({ name }) => name),
    comments: await commentViews(ctx, comments),
  };
  const given = [
    ['space', [view]],
    ['contact', view.contacts],
    ['organization', view.organizations],
  ] as const;
  for (const [type, records] of given)
    give(
      ctx,
      type,
      records.map((record) => record.id),
    );
  return view;
}

async function spaceRows(ctx: ToolContext): Promise<{ spaces: SpaceRow[] }> {
  const spaces = (await listSpaces(ctx)).slice(0, SPACES);
  give(
    ctx,
    'space',
    spaces.map(({ id }) => id),
  );
  return { spaces: spaces.map(({ id, name, archived }) => ({ id, name, archived })) };
}

export const spaceTools: RecordTools = {
  reading: 'a space with its members or tags',
  read: readSpace,
  own: (context) => ({
    list_spaces: tool('list_spaces', 'List the spaces, by name.', {}, () => spaceRows(context)),
  }),
};
